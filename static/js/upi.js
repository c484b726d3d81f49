// Keeps the UPI code at the amount that is typed: of the UPI tender where there
// is one, of the first otherwise.
(() => {
  "use strict";

  const follow = () => {
    const code = document.querySelector("[data-upi]");
    if (!code) return;
    const modes = [...document.querySelectorAll("[name=tender_mode]")];
    const amounts = document.querySelectorAll("[name=tender_amount]");
    const at = Math.max(0, modes.findIndex((m) => m.value === "upi"));
    const amount = amounts[at]?.value.trim() ?? "";
    code.hidden = !/^[\d,]+(\.\d+)?$/.test(amount) || !/[1-9]/.test(amount);
    if (code.hidden) return;
    const src = code.dataset.upi + encodeURIComponent(amount);
    const img = code.querySelector("img");
    if (img.getAttribute("src") === src) return;
    img.setAttribute("src", src);
    code.querySelector("[data-upi-amount]").textContent = document.getElementById("payment").dataset.symbol + amount;
  };

  // Whatever is typed may change the amount.
  let wait;
  document.addEventListener("input", (e) => {
    if (e.target.form?.id !== "payment") return;
    clearTimeout(wait);
    wait = setTimeout(follow, 250);
  });
})();
