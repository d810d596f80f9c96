// Preferences of this device, stored in its browser and shared by its tabs. `data-wish` names them.
const DEFAULTS = { keys: true, speak: false, sound: false };

function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // the browser stores nothing: use the default
  }
}

export const wants = (name) => (stored(name) === null ? DEFAULTS[name] : stored(name) === "1");

const boxes = [...document.querySelectorAll("[data-wish]")];

function show() {
  document.documentElement.toggleAttribute("data-no-keys", !wants("keys"));
  for (const box of boxes) box.checked = wants(box.dataset.wish);
  // Screen readers announce a shortcut only while it works.
  for (const button of document.querySelectorAll("[data-shortcut]")) {
    if (wants("keys")) button.setAttribute("aria-keyshortcuts", button.dataset.shortcut);
    else button.removeAttribute("aria-keyshortcuts");
  }
}

for (const box of boxes) {
  box.closest("[hidden]")?.removeAttribute("hidden"); // hidden without scripts, which apply them
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(box.dataset.wish, box.checked ? "1" : "0");
    } catch {
      DEFAULTS[box.dataset.wish] = box.checked; // until the page is closed
    }
    show();
  });
}
addEventListener("board", show); // a new board has new buttons
addEventListener("storage", show); // ticked in another tab
show();
