import "./dialogs.js";

// Scripts of every page. Choosing a language submits its form at once.
document.addEventListener("change", (event) => event.target.closest("[data-submit-on-change]")?.requestSubmit());
// While the server is still reading past games (data-unread), the page is updated until it shows all of them.
async function loadRest() {
  const response = document.hidden ? null : await fetch(location.href).catch(() => null);
  if (response?.ok) {
    const { morph } = await import("./morph.js");
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    morph(document.getElementById("main"), page.getElementById("main"));
  }
  if (document.querySelector("[data-unread]")) setTimeout(loadRest, 1500);
}
if (document.querySelector("[data-unread]")) setTimeout(loadRest, 1500);
// The message about a lost connection is shown above dialogs too.
const lostConnection = document.getElementById("connection");
if (lostConnection?.showPopover) {
  new MutationObserver(() => lostConnection.togglePopover(!lostConnection.hidden)).observe(lostConnection, { attributeFilter: ["hidden"] });
}
// On a narrow screen the navigation is wider than the screen: scroll the current page's name into view.
document.querySelector(".masthead nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
// At a secure address the browser caches the offline page, which says what to do when the server does not answer.
navigator.serviceWorker?.register(document.querySelector("link[rel=manifest]").dataset.worker).catch(() => {});
