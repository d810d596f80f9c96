import "./dialogs.js";

// What every page does: choosing a language submits at once.
document.addEventListener("change", (event) => event.target.closest("[data-submit-on-change]")?.requestSubmit());
// A page that does not know all of the past yet shows what it knows (data-unread), and the rest as soon as it is read.
async function readOn() {
  const response = document.hidden ? null : await fetch(location.href).catch(() => null);
  if (response?.ok) {
    const { morph } = await import("./morph.js");
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    morph(document.getElementById("main"), fresh.getElementById("main"));
  }
  if (document.querySelector("[data-unread]")) setTimeout(readOn, 1500);
}
if (document.querySelector("[data-unread]")) setTimeout(readOn, 1500);
// What says that nothing arrives stands above dialogs too.
const lost = document.getElementById("connection");
if (lost?.showPopover) {
  new MutationObserver(() => lost.togglePopover(!lost.hidden)).observe(lost, { attributeFilter: ["hidden"] });
}
// On a narrow screen the pages' names run off its edge: the one being looked at comes into view.
document.querySelector(".masthead nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
// Where the address is secure the browser keeps a page that says what to do when the companion does not answer.
navigator.serviceWorker?.register(document.querySelector("link[rel=manifest]").dataset.worker).catch(() => {});
