// Opens the printer's dialog: on the Print button, and once for a receipt that
// was just recorded in this window.
(() => {
  "use strict";

  document.addEventListener("click", (e) => {
    if (e.target.closest("[data-print]")) print();
  });

  // What goes to the printer from a receipt's page is its paper, fetched as it is
  // printed: that is logged, and only the first is no duplicate.
  const printPaper = async (place) => {
    try {
      const answer = await fetch(place.dataset.paper, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const sheets = page.querySelectorAll("main > .pair, main > .paper");
      if (!answer.ok || !sheets.length) throw new Error("no paper came"); // logged out, or out of order: the page says so
      place.replaceChildren(...sheets);
      const family = getComputedStyle(place.querySelector(".paper")).fontFamily;
      await document.fonts.load(`10pt ${family}`, place.textContent);
      await Promise.all([...place.querySelectorAll("img")].map((img) => img.decode().catch(() => {})));
      print();
    } catch {
      location.assign(place.dataset.paper);
    }
  };

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
