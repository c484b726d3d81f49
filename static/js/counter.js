// The counter's comforts: arrow keys in the results, what the amount comes to,
// change for cash. Nothing here is sent or believed by the server.
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

  const money = (f, amount) => {
    const decimals = Number(f.dataset.decimals);
    const digits = String(amount).padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    const part = decimals ? "." + digits.slice(-decimals) : "";
    return f.dataset.symbol + grouped(whole) + part;
  };

  const refs = { cheque: "Cheque number", dd: "Draft number", upi: "UPI reference", card: "Approval code", transfer: "UTR" };

  const refresh = (f) => {
    const decimals = Number(f.dataset.decimals);
    const amounts = [...f.querySelectorAll('[name="tender_amount"]')].filter((i) => i.value.trim());
    const parsed = amounts.map((i) => minor(i.value, decimals));
    const says = f.querySelector("#till-says");
    if (parsed.includes(null) || !parsed.length) {
      says.textContent = "";
    } else {
      const total = parsed.reduce((a, b) => a + b, 0);
      const due = Math.max(0, Number(f.dataset.due));
      const sum = parsed.length > 1 ? money(f, total) + " in all. " : "";
      if (total > due) says.textContent = sum + money(f, total - due) + " is more than is due and will be kept as an advance.";
      else if (total < due) says.textContent = sum + money(f, due - total) + " stays due.";
      else says.textContent = sum + "Settles everything that is due.";
    }
    const given = minor(f.querySelector("#cash-given").value, decimals);
    const cash = minor(f.querySelector('[name="tender_amount"]').value, decimals);
    const change = f.querySelector("#change");
    if (given === null || cash === null) change.textContent = "–";
    else change.textContent = given < cash ? money(f, cash - given) + " short" : money(f, given - cash);
    for (const row of f.querySelectorAll(".tender")) {
      const mode = row.querySelector("select").value;
      row.querySelector(".f-ref label").textContent = refs[mode] || "Number or reference";
    }
  };

  document.addEventListener("input", (e) => {
    if (e.target.form === form() && form()) refresh(form());
  });
  document.addEventListener("focusin", (e) => {
    if (e.target.name === "tender_amount") e.target.select();
  });

  // The address holds the payment's id, so that coming Back finds this same
  // form again and not a fresh one that could be recorded a second time.
  const settle = () => {
    const f = form();
    if (!f) return;
    refresh(f);
    const student = f.elements.student;
    const id = f.elements.payment_id.value;
    if (student.type === "hidden") {
      history.replaceState(history.state, "", "/collect/" + encodeURIComponent(student.value) + "?payment_id=" + id);
    }
    if (document.activeElement?.name === "tender_amount") document.activeElement.select();
  };
  settle();
  document.addEventListener("htmx:afterSettle", settle);

  document.addEventListener("submit", (e) => {
    if (e.target === form()) sessionStorage.setItem("raseed.recorded", e.target.elements.payment_id.value);
  });
})();
