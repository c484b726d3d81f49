// Opens the printer's dialog: on the Print button, and once for a receipt that
// was just recorded in this window.
(() => {
  "use strict";

  document.addEventListener("click", (e) => {
    if (e.target.closest("[data-print]")) print();
  });

  const printFresh = () => {
    const issued = document.querySelector("[data-issued]");
    if (issued && sessionStorage.getItem("raseed.recorded") === issued.dataset.issued) {
      sessionStorage.removeItem("raseed.recorded");
      print();
    }
  };
  printFresh();
  document.addEventListener("htmx:afterSettle", printFresh);
})();
