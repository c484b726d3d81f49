// Gives a student back when the page is left, and lets the hold run out while
// nobody works at the page, so that the next counter need not wait. Nothing
// depends on it.
(() => {
  "use strict";

  let kept = null; // { href, token } of the page as it is

  const release = (hold) => {
    if (hold?.token) navigator.sendBeacon(hold.href + "/release", new URLSearchParams({ hold: hold.token }));
  };

  const look = () => {
    const part = document.getElementById("hold");
    const now = part && { href: part.dataset.href, token: part.dataset.token };
    if (kept && kept.token !== now?.token) release(kept);
    kept = now;
  };
  look();
  document.addEventListener("htmx:afterSettle", look);
  addEventListener("pagehide", () => release(kept));
  addEventListener("pageshow", (e) => {
    const part = document.getElementById("hold");
    if (e.persisted && part) htmx.trigger(part, "renew");
  });

  // Whoever comes back has the student again, or is told who has.
  let worked = Date.now(), asleep = false;
  const work = () => {
    worked = Date.now();
    if (!asleep) return;
    asleep = false;
    const part = document.getElementById("hold");
    if (part) htmx.trigger(part, "renew");
  };
  for (const event of ["input", "keydown", "pointerdown", "pointermove"]) addEventListener(event, work, { capture: true, passive: true });
  document.addEventListener("htmx:beforeRequest", (e) => {
    const part = e.target;
    if (part.id !== "hold" || !part.dataset.token || Date.now() - worked <= Number(part.dataset.idle)) return;
    asleep = true;
    e.preventDefault();
  });

  // What goes wrong while a hold is kept is nobody's business: the form stays
  // as it is, and so does what the page says about the payment.
  document.addEventListener("htmx:beforeOnLoad", (e) => {
    const answer = e.detail.xhr;
    if (e.target.id === "hold" && (answer.status !== 200 || answer.getResponseHeader("HX-Redirect"))) e.preventDefault();
  });
  for (const event of ["htmx:sendError", "htmx:timeout", "htmx:afterOnLoad"]) {
    document.addEventListener(event, (e) => {
      if (e.target.id === "hold") e.stopImmediatePropagation();
    }, true);
  }
})();
