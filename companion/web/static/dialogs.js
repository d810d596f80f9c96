// Dialogs: Back closes the topmost one, and closing it takes its entry out of the history again.
const shown = [];

export function showDialog(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  shown.push(dialog);
  history.pushState({ dialogs: shown.length }, "");
}

addEventListener("popstate", () => {
  while (shown.length > (history.state?.dialogs ?? 0)) shown.pop().close();
});

document.addEventListener(
  "close",
  ({ target }) => {
    if (shown.includes(target)) shown.splice(shown.indexOf(target), 1);
    if ((history.state?.dialogs ?? 0) > shown.length) history.back();
  },
  true,
);

document.addEventListener("click", async (event) => {
  event.target.closest("[data-close]")?.closest("dialog")?.close();
  const link = event.target.closest("a[data-rules]");
  const rules = document.getElementById("rules");
  if (!link || !rules || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  try {
    const response = await fetch(link.href, { headers: { "X-Fragment": "rules" } });
    if (!response.ok) throw new Error(response.status);
    rules.lastElementChild.innerHTML = await response.text();
    showDialog(rules);
  } catch {
    location.href = link.href; // the browser says what is wrong
  }
});
