// Filters a table while a visitor types; without scripts the form does the same.
for (const form of document.querySelectorAll("[data-filter]")) {
  const rows = [...document.querySelectorAll(`${form.dataset.filter} tbody tr`)];
  const status = document.querySelector("[data-found-none]");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const words = form.elements.search.value.toLocaleLowerCase().split(/\s+/);
    let found = 0;
    for (const row of rows) {
      const text = row.textContent.toLocaleLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      found += !row.hidden;
    }
    status.textContent = found ? "" : status.dataset.foundNone;
  });
}
