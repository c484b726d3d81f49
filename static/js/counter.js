// The counter's comforts: arrow keys in the results, what the amount comes to,
// change for cash, and a question before an advance. Nothing here is sent or
// believed by the server.
(() => {
  "use strict";

  // --- Results ---
  document.addEventListener("keydown", (e) => {
    const from = e.target;
    const inSearch = from.id === "q";
    if (!inSearch && !from.matches(".hit")) return;
    const hits = [...document.querySelectorAll("#results .hit")];
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const next = hits.indexOf(from) + (e.key === "ArrowDown" ? 1 : -1);
      if (next < 0) document.getElementById("q").focus();
      else hits[Math.min(next, hits.length - 1)]?.focus();
    } else if (e.key === "Escape") {
      document.getElementById("results").replaceChildren();
      document.getElementById("q").focus();
    }
  });

  // What was typed before the scripts came is searched for all the same.
  addEventListener("DOMContentLoaded", () => {
    const q = document.getElementById("q");
    if (q?.value && !document.getElementById("results").children.length) q.dispatchEvent(new Event("search"));
  });

  // --- The till ---
  const form = () => document.getElementById("payment");

  const grouped = (digits) => BigInt(digits).toLocaleString(form().dataset.locale);

  // minor reads an amount as the server would: minor units, or null.
  const minor = (text, decimals) => {
    const [, whole, part = ""] = /^([\d,]+)(?:\.(\d+))?$/.exec(text.trim()) || [];
    if (!whole || part.length > decimals || whole.length > 15) return null;
    const plain = whole.replaceAll(",", "");
    if (plain !== whole && grouped(plain) !== whole) return null;
    return Number(plain + part.padEnd(decimals, "0"));
  };

  // parts are an amount's digits before the point, and the point with those
  // after it.
  const parts = (f, amount) => {
    const decimals = Number(f.dataset.decimals);
    const digits = String(amount).padStart(decimals + 1, "0");
    return [digits.slice(0, digits.length - decimals), decimals ? "." + digits.slice(-decimals) : ""];
  };
  const money = (f, amount) => {
    const [whole, part] = parts(f, amount);
    return f.dataset.symbol + grouped(whole) + part;
  };

  const refs = { cheque: "Cheque number", dd: "Draft number", upi: "UPI reference", card: "Approval code", transfer: "UTR" };

  const day = (date) => new Date(date + "T00:00").toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });

  // ask turns the button into a question about an advance; 0 takes it back.
  const ask = (f, over) => {
    f.dataset.asked = over;
    f.querySelector(".record").textContent = over ? "Record, " + money(f, over) + " as advance" : "Record payment";
  };

  // chosen is what was typed line by line, or for the children of a family: what
  // it comes to (null where it is no amount), and whether it is all that is to be
  // paid. It is, unless a child was left out.
  const chosen = (f, decimals) => {
    const fields = [...f.elements].filter((el) => el.name === "line_amount" || el.name === "child_amount");
    const typed = fields.filter((el) => el.value.trim());
    const amounts = typed.map((el) => minor(el.value, decimals));
    const sum = amounts.includes(null) ? null : amounts.reduce((a, b) => a + b, 0);
    const children = fields[0]?.name === "child_amount";
    return {
      what: children ? "Children" : "Lines", any: typed.length > 0, sum,
      all: sum !== null && typed.length > 0 && (!children || typed.length === fields.length),
    };
  };

  // wanted is what there is to pay.
  const wanted = (f, decimals) => {
    const { all, sum } = chosen(f, decimals);
    return all ? sum : Math.max(0, Number(f.dataset.due));
  };

  const tenders = (f) => [...f.querySelectorAll('[name="tender_amount"]')];

  // Until somebody types the first amount it is what there is to pay, less what
  // is paid in other ways.
  let seen = "", own = false; // the payment that was seen last, and whether its amount is somebody's own
  const look = (f) => {
    const decimals = Number(f.dataset.decimals);
    const [first, ...others] = tenders(f);
    if (seen === f.elements.payment_id.value) return;
    seen = f.elements.payment_id.value;
    own = f.dataset.due === "" || (minor(first.value, decimals) ?? 0) !== Math.max(0, Number(f.dataset.due)) ||
      first.value !== first.defaultValue || chosen(f, decimals).any || others.some((el) => el.value.trim());
  };
  const follow = (f) => {
    const decimals = Number(f.dataset.decimals);
    const [first, ...others] = tenders(f);
    const want = wanted(f, decimals);
    const left = others.reduce((left, el) => left - (minor(el.value, decimals) ?? 0), want);
    first.value = want ? parts(f, Math.max(0, left)).join("") : "";
  };

  // advanceOf is what of a payment is more than is due, and what was typed for a
  // child beyond what that child owes.
  const advanceOf = (f, total, due, decimals) => {
    let over = 0, rest = total, owed = due;
    for (const child of f.elements) {
      const amount = child.name === "child_amount" ? minor(child.value, decimals) : null;
      if (amount === null) continue;
      over += Math.max(0, amount - Number(child.dataset.due));
      rest -= amount;
      owed -= Math.min(amount, Number(child.dataset.due));
    }
    return over + Math.max(0, rest - owed);
  };

  // What was typed is settled first, and what becomes of the rest is said.
  const sayTyped = (f, decimals, total) => {
    const { what, any, sum } = chosen(f, decimals);
    let text = "";
    if (any && sum !== null && total !== null) {
      text = what + " " + money(f, sum) + " of " + money(f, total);
      if (sum < total) text += ", the rest settles oldest first";
      if (sum > total) text += ": more than is paid";
    }
    f.querySelector("#typed-says").textContent = text;
    f.querySelector("#typed-says").classList.toggle("over", any && sum > total);
  };

  // What was given in cash must do for the cash that is taken.
  const refreshChange = (f, decimals) => {
    const field = f.querySelector("#cash-given");
    const given = minor(field.value, decimals);
    const cash = minor(f.querySelector('[name="tender_amount"]').value, decimals);
    const change = f.querySelector("#change");
    const known = given !== null && cash !== null;
    const short = known && given < cash;
    if (!known) change.textContent = "–";
    else change.textContent = short ? money(f, cash - given) + " short" : money(f, given - cash);
    change.classList.toggle("short", short);
    const inCash = f.querySelector('[name="tender_mode"]').value === "cash";
    field.setCustomValidity(short && inCash ? change.textContent + ": correct the amount or what was given" : "");
  };

  const refresh = (f) => {
    const decimals = Number(f.dataset.decimals);
    const amounts = tenders(f).filter((i) => i.value.trim());
    const parsed = amounts.map((i) => minor(i.value, decimals));
    let paid = null;
    const says = f.querySelector("#till-says");
    let over = 0, left = 0;
    // A form that asks whose it is does not know what they owe, nor does one
    // that was shown while the ledger could not be reached.
    const unknown = f.elements.student.type !== "hidden" || f.dataset.due === "";
    if (unknown || parsed.includes(null) || !parsed.length) {
      says.textContent = "";
      if (!unknown && !parsed.length) left = wanted(f, decimals);
    } else {
      const total = paid = parsed.reduce((a, b) => a + b, 0);
      const due = Math.max(0, Number(f.dataset.due));
      const sum = parsed.length > 1 ? money(f, total) + " in all. " : "";
      over = advanceOf(f, total, due, decimals);
      left = wanted(f, decimals) - total;
      const open = due - total + over;
      const stays = open > 0 ? money(f, open) + " stays due." : "";
      if (over) says.textContent = sum + money(f, over) + " is more than is due and will be kept as an advance. " + stays;
      else if (stays) says.textContent = sum + stays;
      else says.textContent = sum + "Settles everything that is due.";
    }
    says.classList.toggle("over", over > 0);
    sayTyped(f, decimals, paid);
    f.dataset.over = over;
    f.dataset.left = left > 0 ? parts(f, left).join("") : ""; // for the next way of paying
    if (Number(f.dataset.asked) !== over) ask(f, 0);
    refreshChange(f, decimals);
    for (const row of f.querySelectorAll(".tender")) {
      const mode = row.querySelector("select").value;
      row.querySelector(".f-ref label").textContent = refs[mode] || "Number or reference";
      const drawn = row.querySelector('[name="tender_date"]').value;
      const later = row.querySelector(".later");
      row.classList.toggle("post-dated", drawn > f.dataset.today);
      later.textContent = drawn > f.dataset.today ? "Post-dated: in the cheques in hand until " + day(drawn) : "";
    }
  };

  document.addEventListener("input", (e) => {
    const f = form();
    if (!f || e.target.form !== f) return;
    if (e.target === tenders(f)[0]) own = true;
    if (!own) follow(f);
    refresh(f);
  });
  document.addEventListener("focusin", (e) => {
    if (e.target.name === "tender_amount") e.target.select();
  });

  // The address holds the payment's id, so that coming Back finds this same
  // form again and not a fresh one that could be recorded a second time.
  const settle = () => {
    const f = form();
    if (!f) return;
    look(f);
    refresh(f);
    const student = f.elements.student;
    const id = f.elements.payment_id.value;
    if (student.type === "hidden") {
      history.replaceState(history.state, "", f.dataset.page + "?payment_id=" + id);
    }
    if (document.activeElement?.name === "tender_amount") document.activeElement.select();
  };
  settle();
  document.addEventListener("htmx:afterSettle", settle);
  document.addEventListener("htmx:afterRequest", () => {
    if (form()) refresh(form()); // "Recording …" is over, also where nothing was swapped in
  });

  // Before htmx sends the form: the cash has to do, and an advance is asked for
  // once more, as it may be a slip of the finger.
  document.addEventListener("submit", (e) => {
    const f = form();
    if (!f || e.target !== f) return;
    refresh(f);
    const stop = () => {
      e.preventDefault();
      e.stopPropagation();
    };
    const over = Number(f.dataset.over);
    if (!f.querySelector("#cash-given").reportValidity()) {
      stop();
    } else if (over && Number(f.dataset.asked) !== over) {
      stop();
      ask(f, over);
      f.querySelector("#till-says").focus();
    } else {
      sessionStorage.setItem("raseed.recorded", f.elements.payment_id.value);
      f.querySelector("#till-says").textContent = "Recording …";
    }
  }, true);

  // Neither a double click nor a key held down answers the question.
  for (const press of ["mousedown", "click"]) {
    document.addEventListener(press, (e) => {
      if (e.detail > 1 && e.target.closest(".record") && Number(form()?.dataset.asked)) e.preventDefault();
    }, true);
  }
  document.addEventListener("keydown", (e) => {
    if (e.target.id !== "till-says" || e.key !== "Enter") return;
    e.preventDefault();
    if (!e.repeat) form().requestSubmit();
  });
})();
