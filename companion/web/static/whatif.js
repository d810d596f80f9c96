// What-if: computes the odds at once when dice or cards change.
const form = document.querySelector("[data-what-if]");
const result = document.querySelector("[data-found]");
const lostConnection = document.getElementById("connection");

if (form) {
  let lastRequest = 0;
  const update = async () => {
    const request = ++lastRequest;
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    result.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { headers: { "X-Fragment": "part" } });
      if (!response.ok) throw new Error(response.status);
      const html = await response.text();
      if (request !== lastRequest) return;
      result.innerHTML = html;
      history.replaceState(null, "", address);
      lostConnection.hidden = true;
    } catch {
      lostConnection.hidden = false;
    } finally {
      if (request === lastRequest) result.removeAttribute("aria-busy");
    }
  };

  for (const field of form.querySelectorAll("[data-faces]")) {
    const input = field.querySelector("input");
    const row = field.querySelector("[data-dice]");
    const dice = () => [...row.querySelectorAll("[data-face]")];
    const show = (die, face) => {
      die.dataset.face = face;
      die.setAttribute("aria-label", face);
      die.querySelector("use").setAttribute("href", `#face-${face}`);
    };
    const blank = document.createElement("template");
    blank.innerHTML = '<button class="face" type="button" data-face="1" aria-label="1"><svg class="die" aria-hidden="true"><use href="#face-1"/></svg></button>';
    row.addEventListener("click", (event) => {
      const die = event.target.closest("[data-face]");
      if (die) show(die, (Number(die.dataset.face) % 6) + 1);
      else if (event.target.closest("[data-add]")) row.querySelector("[data-add]").before(blank.content.firstChild.cloneNode(true));
      else if (event.target.closest("[data-take]")) dice().at(-1)?.remove();
      else return;
      input.value = dice().map((one) => one.dataset.face).join(" ");
      update();
    });
    input.hidden = true;
    row.hidden = false;
  }
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  update();
}
