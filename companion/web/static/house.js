// What every page does: choosing a language submits at once.
for (const form of document.querySelectorAll("[data-submit-on-change]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
// What says that nothing arrives stands above dialogs too.
const lost = document.getElementById("connection");
if (lost?.showPopover) {
  new MutationObserver(() => lost.togglePopover(!lost.hidden)).observe(lost, { attributeFilter: ["hidden"] });
}
// On a narrow screen the pages' names run off its edge: the one being looked at comes into view.
document.querySelector(".masthead nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
