// The editor of one recorded event: pick what happened, choose a die, then what it shows. What is picked is written into
// the text field, which is what the form sends; what it would come to is asked for before anything is saved.
const WAIT = 200;

function faces(row) {
  return [...row.querySelectorAll("[data-turn]")].map((die) => Number(die.dataset.turn)).sort((a, b) => b - a);
}

function needs(form) {
  return form.querySelector("[name=head]:checked")?.dataset.needs ?? "";
}

function rows(form) {
  return { before: form.querySelector("[data-edit=before]"), dice: form.querySelector("[data-edit=dice]") };
}

function arrange(form) {
  const wanted = needs(form);
  const { before, dice } = rows(form);
  const shown = { before: wanted === "both", dice: wanted !== "" };
  form.querySelector(".edit-dice").hidden = !wanted;
  for (const row of [before, dice]) row.closest("[data-row-of]").hidden = !shown[row.dataset.edit];
  // A card was used on dice: they are as many afterwards, and what they became is picked next.
  if (wanted === "both" && !before.children.length) before.append(...[...dice.children].map((die) => die.cloneNode(true)));
  for (const row of [before, dice]) {
    if (shown[row.dataset.edit] && !row.children.length) row.append(blank(form));
  }
  offer(form, dice.children.length === 1 ? dice.firstElementChild : null);
}

function blank(form) {
  const die = form.querySelector("[data-set='1']").cloneNode(true);
  delete die.dataset.set;
  die.setAttribute("aria-pressed", "false");
  turn(die, 1);
  return die;
}

function turn(die, face) {
  die.dataset.turn = face;
  die.setAttribute("aria-label", face);
  die.querySelector("use").setAttribute("href", `#face-${face}`);
}

// What the camera thinks second likeliest of the die comes first, and what it shows last.
function offer(form, die) {
  const guesses = die?.dataset.order?.split(" ") ?? [];
  const line = form.querySelector(".edit-faces");
  const order = [...guesses, ...["1", "2", "3", "4", "5", "6"].filter((face) => !guesses.includes(face))];
  line.append(...order.map((face) => line.querySelector(`[data-set="${face}"]`)));
  form.querySelector("[data-ordered]").hidden = !guesses.length;
}

function write(form) {
  const head = form.querySelector("[name=head]:checked")?.value;
  if (!head) return;
  const wanted = needs(form);
  const { before, dice } = rows(form);
  const said = (row) => faces(row).map((face) => face || "?").join(" ");
  const text = { "": [head], dice: [head, said(dice)], after: [head, said(dice)], both: [head, said(before), ">", said(dice)] };
  form.elements.event.value = text[wanted].join(" ").trim();
  preview(form);
}

// What breaks the record waits until the box is ticked.
function allow(form) {
  const breaks = form.querySelector("[name=sure]:not(:checked)") ? form.querySelector("[data-breaks]").dataset.breaks : "";
  for (const button of form.querySelectorAll("[name=what]")) button.disabled = breaks.split(" ").includes(button.value);
}

// The consequences on show are those of an earlier choice: neither confirm nor save until the new ones arrive.
function hold(form) {
  for (const control of form.querySelectorAll("[name=sure], [name=what]")) control.disabled = true;
}

async function consequences(form) {
  const question = new URLSearchParams({ event: form.elements.event.value });
  try {
    const response = await fetch(`${form.dataset.previewAt}?${question}`, { headers: { "X-Fragment": "preview" } });
    return response.ok ? await response.text() : "";
  } catch {
    return ""; // It is only a preview: the server checks the change itself again.
  }
}

let asked = 0;
export function preview(form) {
  const mine = ++asked;
  hold(form);
  setTimeout(async () => {
    if (mine !== asked || !form.isConnected) return;
    const html = await consequences(form);
    if (mine !== asked) return;
    form.querySelector("[data-preview]").innerHTML = html;
    allow(form);
  }, WAIT);
}

// Called when a dialog has been filled.
export function prepareEditor(dialog) {
  const form = dialog.querySelector("[data-editor]");
  if (!form) return;
  arrange(form);
  preview(form);
}

export function editIn(dialog) {
  dialog.addEventListener("input", (event) => {
    const form = event.target.closest("[data-editor]");
    if (!form) return;
    if (event.target.name === "event") preview(form);
  });
  dialog.addEventListener("change", (event) => {
    const form = event.target.closest("[data-editor]");
    if (form && event.target.name === "sure") allow(form);
    if (!form || event.target.name !== "head") return;
    arrange(form);
    write(form);
  });
  dialog.addEventListener("click", (event) => {
    const form = event.target.closest("[data-editor]");
    if (!form) return;
    const dice = [...form.querySelectorAll("[data-row-of]:not([hidden]) [data-turn]")];
    const chosen = dice.find((die) => die.getAttribute("aria-pressed") === "true");
    const choose = (one) => {
      dice.forEach((die) => die.setAttribute("aria-pressed", die === one));
      offer(form, one);
    };
    const die = event.target.closest("[data-turn]");
    const face = event.target.closest("[data-set]")?.dataset.set;
    const row = chosen?.closest("[data-edit]") ?? rows(form).dice;
    if (die) choose(die);
    else if (face) {
      if (!chosen && dice.length !== 1) return;
      turn(chosen ?? dice[0], face);
    } else if (event.target.closest("[data-add]")) {
      choose(null);
      const more = blank(form);
      more.setAttribute("aria-pressed", "true");
      row.append(more);
    } else if (event.target.closest("[data-less]") && row.children.length > 1) (chosen ?? row.lastElementChild).remove();
    else return;
    write(form);
  });
}
