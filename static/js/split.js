// Several ways of paying in one payment: "+" adds one with what is left to pay.
// Without this script all rows are there, and the empty ones mean nothing.
(() => {
  "use strict";

  const split = () => document.querySelector("#payment .split");
  const rows = () => [...(split()?.querySelectorAll(".tender") ?? [])];
  const fields = (row) => [...row.querySelectorAll("input:not([type=checkbox]), select")];
  const blank = (row) => fields(row).every((f) => !f.value.trim());

  // Empty rows wait out of sight until they are asked for.
  const tidy = () => {
    for (const row of rows()) row.hidden = blank(row) && row !== fresh;
    const add = split()?.querySelector(".add");
    if (add) add.hidden = !rows().some((row) => row.hidden);
  };

  let fresh = null; // the row that was asked for last, empty as it may be

  const add = () => {
    const all = split();
    const row = rows().find(blank);
    if (!all || !row) return;
    fresh = row;
    all.open = true;
    tidy();
    const amount = row.querySelector('[name="tender_amount"]');
    amount.value = document.getElementById("payment").dataset.left ?? "";
    amount.dispatchEvent(new Event("input", { bubbles: true }));
    amount.focus();
    amount.select();
  };

  const takeBack = (row) => {
    for (const f of fields(row)) f.value = "";
    row.querySelector('[name="tender_amount"]').dispatchEvent(new Event("input", { bubbles: true }));
    fresh = null;
    tidy();
    if (rows().every(blank)) split().open = false;
    document.querySelector('#payment .first [name="tender_amount"]').focus();
  };

  document.addEventListener("click", (e) => {
    if (e.target.closest("#payment .add")) add();
    const back = e.target.closest("#payment .take-back");
    if (back) takeBack(back.closest(".tender"));
    if (e.target.closest("#payment .split > summary") && rows().every(blank)) {
      e.preventDefault();
      if (split().open) split().open = false;
      else add();
    }
  });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "+" || e.ctrlKey || e.metaKey || e.altKey || !split()) return;
    const typing = e.target.closest("input, select, textarea");
    if (typing && typing.inputMode !== "decimal") return; // no amount has a "+" in it
    e.preventDefault();
    add();
  });

  tidy();
  document.addEventListener("htmx:afterSettle", () => {
    fresh = null;
    tidy();
  });
})();
