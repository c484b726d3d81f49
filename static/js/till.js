// What the count of a till comes to while it is typed. The server counts by
// itself.
(() => {
  "use strict";

  const form = document.getElementById("till-close");
  if (!form) return;
  const { locale, symbol } = form.dataset;
  const decimals = Number(form.dataset.decimals);

  const money = (amount) => {
    const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
    const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString(locale);
    return (amount < 0 ? "-" : "") + symbol + whole + (decimals ? "." + digits.slice(-decimals) : "");
  };

  // minor reads an amount in minor units; NaN for what is none.
  const minor = (text) => {
    const [, whole, part = ""] = /^([\d,]+)(?:\.(\d+))?$/.exec(text.trim()) || [];
    if (!whole || part.length > decimals || whole.length > 15) return NaN;
    return Number(whole.replaceAll(",", "") + part.padEnd(decimals, "0"));
  };

  const refresh = () => {
    let sum = 0;
    let typed = false;
    for (const row of form.querySelectorAll("[data-value]")) {
      const text = row.querySelector("input").value.trim();
      if (!text) continue;
      typed = true;
      sum += /^\d{1,7}$/.test(text) ? Number(text) * Number(row.dataset.value) : NaN;
    }
    const other = form.elements.other.value.trim();
    if (other) {
      typed = true;
      sum += minor(other);
    }
    const verdict = form.querySelector("[data-verdict]");
    const known = typed && !Number.isNaN(sum);
    form.querySelector("[data-counted]").textContent = known ? money(sum) : "–";
    const off = sum - Number(form.dataset.expected);
    verdict.className = off ? "off" : "right";
    if (!known) verdict.textContent = "";
    else if (off === 0) verdict.textContent = "Right";
    else verdict.textContent = off < 0 ? "Short by " + money(-off) : money(off) + " in excess";
  };
  form.addEventListener("input", refresh);
  refresh();
})();
