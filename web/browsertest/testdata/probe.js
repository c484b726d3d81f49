// What a person sees of a page and can reach on it. An expression: the tests
// call its functions through the debugger, so that it works where the page's
// own scripts do not run.
(() => {
  const seen = (el) => el.getClientRects().length > 0 && el.checkVisibility({ visibilityProperty: true });
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();

  // name is what a button, link or label says.
  const name = (el) => {
    const copy = el.cloneNode(true);
    for (const silent of copy.querySelectorAll("[aria-hidden=true], svg")) silent.remove();
    return squeeze(copy.textContent) || el.getAttribute("aria-label") || "";
  };

  // all finds by selector, where what looks like one, or else by name: buttons,
  // links and summaries themselves, labels as the field that they are of.
  const all = (what) => {
    if (/^[#.[]|^[a-z]+[#.[]/.test(what)) return [...document.querySelectorAll(what)];
    return [...document.querySelectorAll("a, button, summary, label")]
      .filter((el) => name(el) === what)
      .map((el) => (el.matches("label") ? el.control : el))
      .filter(Boolean);
  };
  const find = (what) => all(what).find(seen);

  // settled: the page is loaded and htmx is not about to change it.
  const settled = () =>
    document.readyState === "complete" && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added");

  // point is where to click: the middle of what is seen, if nothing covers it.
  const point = (what) => {
    const el = find(what);
    if (!el || el.disabled) return null;
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = el.getClientRects()[0];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return top && (el.contains(top) || top.contains(el)) ? [x, y] : null;
  };

  const bare = (el) => {
    const box = el?.getClientRects()[0];
    return Boolean(box) && el.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  };

  return {
    settled,
    point,
    sees: (what) => Boolean(find(what)),
    count: (what) => all(what).filter(seen).length,
    text: (what) => { const el = find(what); return el ? squeeze(el.innerText) : null; },
    texts: (what) => all(what).filter(seen).map((el) => squeeze(el.innerText)),
    value: (what) => find(what)?.value ?? null,
    attribute: (what, of) => find(what)?.getAttribute(of) ?? null,
    focused: () => { const el = document.activeElement; return el.id || el.name || name(el) || el.tagName; },

    // shown is whether something is in the window as it is, and nothing over it;
    // comes is that once it has just been scrolled into it.
    shown: (what) => bare(find(what)),
    comes: (what) => { find(what)?.scrollIntoView({ block: "end", behavior: "instant" }); return bare(find(what)); },

    // dozes has the page take nobody for at work who did nothing for a moment, and
    // the time for a renewal come; false until that moment is over.
    dozes: () => {
      window.dozing ??= Date.now();
      if (Date.now() - window.dozing < 60) return false;
      document.getElementById("hold").dataset.idle = "30";
      htmx.trigger("#hold", "renew");
      return true;
    },

    reached: (what) => find(what) === document.activeElement,

    title: () => document.title,
    printed: () => window.printed ?? 0,

    // focus puts the caret over all that is in a field.
    focus: (what) => { const el = find(what); if (!el || el.disabled) return false; el.focus(); el.select?.(); return document.activeElement === el; },

    // set does for choices and dates, whose own widgets a debugger cannot
    // reach, what those widgets do.
    set: (what, value) => {
      const el = find(what);
      if (!el || el.disabled) return false;
      el.focus();
      el.value = value;
      if (el.value !== value) return false;
      for (const event of ["input", "change"]) el.dispatchEvent(new Event(event, { bubbles: true }));
      return true;
    },

    // downwards is what has to be scrolled to be read: the page, or one of these
    // parts of it.
    downwards: (parts) => [document.scrollingElement, ...parts.flatMap((what) => [...document.querySelectorAll(what)])]
      .filter((el) => el.scrollHeight > el.clientHeight + 1)
      .map((el) => (el.id || el.className || el.tagName) + " is " + el.scrollHeight + " px high and " + el.clientHeight + " are seen"),

    // squeezed are fields and table cells with too little room: a name that is
    // broken into letters, a field that shows two of them.
    squeezed: () => {
      const words = [...document.querySelectorAll(":is(td, th) bdi:not(.paper *)")].filter((el) => seen(el) && el.closest("td, th").clientWidth < 72 && el.getClientRects().length > el.innerText.trim().split(/[^\p{L}\p{M}\p{N}]+/u).length);
      const typed = [...document.querySelectorAll("input:is([type=text], [type=search], :not([type])), select")].filter((el) => seen(el) && !el.matches(".sr-only, [inputmode=numeric], .global-search *") && el.clientWidth < 72);
      return [...words, ...typed].slice(0, 4).map((el) => "no room for " + el.tagName.toLowerCase() + " " + JSON.stringify(squeeze(el.innerText || el.value || el.name || "").slice(0, 40)));
    },

    // sideways is what makes the page wider than it may be.
    sideways: (width) => {
      const page = document.scrollingElement;
      if (page.scrollWidth <= width) return [];
      const wide = [...document.querySelectorAll("body *:not(svg *)")].filter((el) => seen(el) && el.getBoundingClientRect().right > width + 1);
      const inner = wide.filter((el) => !wide.some((other) => other !== el && el.contains(other)));
      return ["the page is " + page.scrollWidth + " px wide: " + inner.slice(0, 4)
        .map((el) => el.tagName.toLowerCase() + "." + el.getAttribute("class") + " " + JSON.stringify(squeeze(el.innerText ?? "").slice(0, 40))).join(", ")];
    },
  };
})()
