// Opens the printer's dialog: on the Print button, and once for a receipt, or
// those of a family, that was just recorded in this window.
(() => {
  "use strict";

  // What goes to the printer from a receipt's page is its paper, fetched as it is
  // printed: that is logged, and only the first is no duplicate. Once it is
  // printed the page has its own back, which says so of itself.
  let busy = false;
  const printPaper = async (place) => {
    if (busy) return;
    busy = true;
    const own = [...place.childNodes];
    try {
      const answer = await fetch(place.dataset.paper, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const sheets = page.querySelectorAll("main > .pair, main > .paper");
      if (!answer.ok || !sheets.length) throw new Error("no paper came"); // logged out, or out of order: the page says so
      place.replaceChildren(...sheets);
      const family = getComputedStyle(place.querySelector(".paper")).fontFamily;
      await document.fonts.load(`10pt ${family}`, place.textContent);
      await Promise.all([...place.querySelectorAll("img")].map((img) => img.decode().catch(() => {})));
      addEventListener("afterprint", () => place.replaceChildren(...own), { once: true });
      print();
    } catch {
      location.assign(place.dataset.paper);
    } finally {
      busy = false;
    }
  };

  document.addEventListener("click", (e) => {
    if (e.target.closest("[data-print]")) print();
    const place = e.target.closest("[data-print-paper]") && document.querySelector("[data-paper]");
    if (!place || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // in a tab of its own
    e.preventDefault();
    printPaper(place);
  });

  const printFresh = () => {
    const issued = document.querySelector("[data-issued]");
    if (!issued || sessionStorage.getItem("raseed.recorded") !== issued.dataset.issued) return;
    sessionStorage.removeItem("raseed.recorded");
    const place = document.querySelector("[data-paper]");
    if (place) printPaper(place);
  };
  printFresh();
  document.addEventListener("htmx:afterSettle", printFresh);
})();
