// Light, dark, or as the device is set: stored in its browser. Runs before the page is drawn, so that nothing flashes.
{
  const root = document.documentElement;
  const sheet = document.getElementById("dark");
  const MEDIA = { "": sheet.media, light: "not all", dark: "all" };
  let chosen = "";

  const show = (theme) => {
    chosen = theme in MEDIA ? theme : "";
    sheet.media = MEDIA[chosen];
    if (chosen) root.dataset.theme = chosen;
    else delete root.dataset.theme;
    const paper = getComputedStyle(root).getPropertyValue("--paper").trim(); // the bar above an installed page
    if (paper) document.querySelector("meta[name=theme-color]").content = paper;
    for (const choice of document.querySelectorAll("[data-appearance]")) choice.value = chosen;
  };

  const stored = () => {
    try {
      return localStorage.getItem("theme") ?? "";
    } catch {
      return chosen; // the browser stores nothing: keep the choice until the page is closed
    }
  };

  show(stored());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(chosen));
  addEventListener("storage", () => show(stored())); // chosen in another tab
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-appearance]")) return;
    try {
      localStorage.setItem("theme", target.value);
    } catch {
      // The browser stores nothing: the choice applies to this page only.
    }
    show(target.value);
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const choice of document.querySelectorAll("[data-appearance]")) choice.closest("[hidden]")?.removeAttribute("hidden");
    show(chosen);
  });
}
