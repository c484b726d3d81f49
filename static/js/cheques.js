// How many cheques are chosen, and what they come to. The server counts by
// itself.
(() => {
  "use strict";

  const form = document.getElementById("cheques");
  if (!form) return;
  const { locale, symbol } = form.dataset;
  const decimals = Number(form.dataset.decimals);

  const money = (amount) => {
    const digits = String(amount).padStart(decimals + 1, "0");
    return symbol + BigInt(digits.slice(0, digits.length - decimals)).toLocaleString(locale) + (decimals ? "." + digits.slice(-decimals) : "");
  };
  const count = (papers, what) => (papers.length ? [papers.length + " " + what + (papers.length === 1 ? "" : "s")] : []);

  const refresh = () => {
    const chosen = new Map(); // by piece of paper, of which there may be parts
    for (const box of form.querySelectorAll("[name=cheque]:checked")) chosen.set(box.dataset.paper, box.dataset);
    const papers = [...chosen.values()];
    const drafts = papers.filter((paper) => "draft" in paper);
    const kinds = [...count(papers.filter((paper) => !("draft" in paper)), "cheque"), ...count(drafts, "draft")];
    const sum = papers.reduce((sum, paper) => sum + Number(paper.amount), 0);
    form.querySelector(".chosen").textContent = papers.length ? "Chosen: " + kinds.join(" and ") + ", " + money(sum) : "Nothing is chosen";
  };
  form.addEventListener("change", refresh);
  refresh();
})();
