// Keys and notices that every page shares. Without this script every page
// still works.
(() => {
  "use strict";

  document.documentElement.classList.add("js");

  // A key that is not being typed goes to what names it: data-shortcut="n".
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    // No amount has a "/" in it, and no search begins with one: there it is a key
    // like anywhere else.
    const typing = e.target.closest("input, select, textarea");
    const free = typing && (typing.inputMode === "decimal" || typing.dataset.shortcut === "/" && !typing.value);
    if (typing && !(e.key === "/" && free)) return;
    const all = document.querySelectorAll("[data-shortcut]");
    const target = [...all].reverse().find((el) => el.dataset.shortcut === e.key && el.checkVisibility());
    if (!target) return;
    e.preventDefault();
    if (target.matches("input")) {
      target.focus();
      target.select();
    } else {
      target.click();
    }
  });

  const alerts = document.getElementById("alerts");
  const say = (title, text) => {
    const box = document.createElement("div");
    box.className = "alert warning said";
    box.setAttribute("role", "alert");
    box.dataset.testid = "alert";
    const words = document.createElement("div");
    const strong = document.createElement("strong");
    strong.textContent = title;
    const p = document.createElement("p");
    p.textContent = text;
    words.append(strong, p);
    box.append(words);
    alerts.replaceChildren(box);
    scrollTo({ top: 0 });
  };

  // What was pressed is to be pressed again: Enter does it.
  const again = (form) => form.querySelector(".record").focus({ preventScroll: true, focusVisible: true });

  // The session ran out: the server asks for the password over the page, and
  // the page goes on from there. What asks by itself meanwhile asks in vain.
  const over = document.getElementById("over");
  document.addEventListener("htmx:beforeSwap", (e) => {
    if (e.detail.xhr.status === 401 && over.firstElementChild) e.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const dialog = over.querySelector("dialog:not([open])");
    dialog?.showModal();
    dialog?.addEventListener("close", () => over.replaceChildren());
  });
  document.addEventListener("raseed:back", () => {
    over.replaceChildren();
    const form = document.getElementById("payment");
    if (form) again(form);
  });

  // The line is down: say what that means for what was just pressed.
  for (const event of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(event, (e) => {
      if (e.target.id === "payment") {
        say("Not confirmed", "No answer came. Press Record payment again: it cannot be charged twice.");
        again(e.target);
      } else {
        say("No connection", "What you see may be out of date. Try again in a moment.");
      }
    });
  }
  document.addEventListener("htmx:beforeRequest", (e) => {
    if (e.target.id === "payment") alerts.replaceChildren();
  });
  document.addEventListener("htmx:afterOnLoad", (e) => {
    if (alerts.querySelector(".said")) alerts.replaceChildren();
    // The ledger could not be reached: the form is still there.
    if (e.target.id === "payment" && e.detail.xhr.status === 503) {
      scrollTo({ top: 0 });
      again(e.target);
    }
  });
})();
