// Keeps the UPI code at the amount that is typed: of the UPI tender where there
// is one, of the first otherwise.
(() => {
  "use strict";

  let wait;
  const follow = () => {
    const code = document.querySelector("[data-upi]");
    if (!code) return;
    const modes = [...document.querySelectorAll("[name=tender_mode]")];
    const amounts = document.querySelectorAll("[name=tender_amount]");
    const at = Math.max(0, modes.findIndex((m) => m.value === "upi"));
    const amount = amounts[at]?.value.trim();
    if (!amount) return;
    const src = code.dataset.upi + encodeURIComponent(amount);
    const img = code.querySelector("img");
    if (img.getAttribute("src") !== src) img.setAttribute("src", src);
  };
  document.addEventListener("input", (e) => {
    if (!e.target.matches("[name=tender_amount], [name=tender_mode]")) return;
    clearTimeout(wait);
    wait = setTimeout(follow, 250);
  });
})();
