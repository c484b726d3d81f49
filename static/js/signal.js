// A sound or a flash when a payment that was just recorded has its number, for
// those who look at the payer and not at the screen. Both are off until chosen.
(() => {
  "use strict";

  const key = (kind) => "raseed.signal." + kind;
  const on = (kind) => localStorage.getItem(key(kind)) === "on";

  const give = {
    sound: () => {
      const audio = new AudioContext();
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const end = audio.currentTime + 0.25;
      tone.frequency.value = 880;
      volume.gain.setValueAtTime(0.1, audio.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, end);
      tone.connect(volume).connect(audio.destination);
      tone.onended = () => audio.close();
      tone.start();
      tone.stop(end);
    },
    flash: () => {
      const card = document.querySelector(".receipt .till");
      card?.classList.add("flash");
      card?.addEventListener("animationend", () => card.classList.remove("flash"), { once: true });
    },
  };

  const look = () => {
    for (const box of document.querySelectorAll("[data-signal]")) box.checked = on(box.dataset.signal);
    const issued = document.querySelector("[data-issued]");
    if (!issued || sessionStorage.getItem("raseed.recorded") !== issued.dataset.issued) return;
    for (const kind of Object.keys(give)) if (on(kind)) give[kind]();
  };
  look();
  document.addEventListener("htmx:afterSettle", look);
  document.addEventListener("change", (e) => {
    const kind = e.target.dataset.signal;
    if (!kind) return;
    localStorage.setItem(key(kind), e.target.checked ? "on" : "off");
    if (e.target.checked) give[kind]();
  });
})();
