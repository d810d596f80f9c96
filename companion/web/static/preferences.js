// What people want of this device, kept in its browser: boxes named by `data-wish`, the same in every tab of it.
const BEGIN = { keys: true, speak: false, sound: false };

function kept(wish) {
  try {
    return localStorage.getItem(wish);
  } catch {
    return null; // a browser that keeps nothing: as it began
  }
}

export const wants = (wish) => (kept(wish) === null ? BEGIN[wish] : kept(wish) === "1");

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
  box.closest("[hidden]")?.removeAttribute("hidden"); // without scripts there is nothing to wish for
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(box.dataset.wish, box.checked ? "1" : "0");
    } catch {
      BEGIN[box.dataset.wish] = box.checked; // until the page is closed
    }
    show();
  });
}
addEventListener("board", show); // sent again, with all its buttons
addEventListener("storage", show); // ticked in another tab
show();
