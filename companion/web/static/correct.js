// The editor of one recorded event: choose what happened, then a die and its face. The choice is written into the text
// field, which the form sends.
const WAIT = 200;

function facesIn(row) {
  return [...row.querySelectorAll("[data-turn]")].map((die) => Number(die.dataset.turn)).sort((a, b) => b - a);
}

function needs(form) {
  return form.querySelector("[name=head]:checked")?.dataset.needs ?? "";
}

function rows(form) {
  return { before: form.querySelector("[data-edit=before]"), dice: form.querySelector("[data-edit=dice]") };
}

function updateForm(form) {
  const wanted = needs(form);
  const { before, dice } = rows(form);
  const shown = { before: wanted === "both", dice: wanted !== "" };
  form.querySelector(".edit-dice").hidden = !wanted;
  for (const row of [before, dice]) row.closest("[data-row-of]").hidden = !shown[row.dataset.edit];
  // A card keeps the number of dice; the visitor then chooses what they became.
  if (wanted === "both" && !before.children.length) before.append(...[...dice.children].map((die) => die.cloneNode(true)));
  for (const row of [before, dice]) {
    if (shown[row.dataset.edit] && !row.children.length) row.append(newDie(form));
  }
  orderFaces(form, dice.children.length === 1 ? dice.firstElementChild : null);
}

function newDie(form) {
  const die = form.querySelector("[data-set='1']").cloneNode(true);
  delete die.dataset.set;
  die.setAttribute("aria-pressed", "false");
  setFace(die, 1);
  return die;
}

function setFace(die, face) {
  die.dataset.turn = face;
  die.setAttribute("aria-label", face);
  die.querySelector("use").setAttribute("href", `#face-${face}`);
}

// Orders the faces by the camera's second guesses for this die; the recorded face comes last.
function orderFaces(form, die) {
  const guesses = die?.dataset.order?.split(" ") ?? [];
  const line = form.querySelector(".edit-faces");
  const order = [...guesses, ...["1", "2", "3", "4", "5", "6"].filter((face) => !guesses.includes(face))];
  line.append(...order.map((face) => line.querySelector(`[data-set="${face}"]`)));
  form.querySelector("[data-ordered]").hidden = !guesses.length;
}

function writeEvent(form) {
  const head = form.querySelector("[name=head]:checked")?.value;
  if (!head) return;
  const wanted = needs(form);
  const { before, dice } = rows(form);
  const words = (row) => facesIn(row).map((face) => face || "?").join(" ");
  const text = { "": [head], dice: [head, words(dice)], after: [head, words(dice)], both: [head, words(before), ">", words(dice)] };
  form.elements.event.value = text[wanted].join(" ").trim();
  preview(form);
}

// A change that makes later events illegal needs a tick in the box.
function updateButtons(form) {
  const breaks = form.querySelector("[name=sure]:not(:checked)") ? form.querySelector("[data-breaks]").dataset.breaks : "";
  for (const button of form.querySelectorAll("[name=what]")) button.disabled = breaks.split(" ").includes(button.value);
}

// Disables confirming and saving until the new preview arrives.
function disableButtons(form) {
  for (const control of form.querySelectorAll("[name=sure], [name=what]")) control.disabled = true;
}

async function consequences(form) {
  const question = new URLSearchParams({ event: form.elements.event.value });
  try {
    const response = await fetch(`${form.dataset.previewAt}?${question}`, { headers: { "X-Fragment": "preview" } });
    return response.ok ? await response.text() : "";
  } catch {
    return ""; // only a preview: the server checks again
  }
}

let lastRequest = 0;
export function preview(form) {
  const request = ++lastRequest;
  disableButtons(form);
  setTimeout(async () => {
    if (request !== lastRequest || !form.isConnected) return;
    const html = await consequences(form);
    if (request !== lastRequest) return;
    form.querySelector("[data-preview]").innerHTML = html;
    updateButtons(form);
  }, WAIT);
}

// Called when a dialog has been filled.
export function prepareEditor(dialog) {
  const form = dialog.querySelector("[data-editor]");
  if (!form) return;
  updateForm(form);
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
    if (form && event.target.name === "sure") updateButtons(form);
    if (!form || event.target.name !== "head") return;
    updateForm(form);
    writeEvent(form);
  });
  dialog.addEventListener("click", (event) => {
    const form = event.target.closest("[data-editor]");
    if (!form) return;
    const dice = [...form.querySelectorAll("[data-row-of]:not([hidden]) [data-turn]")];
    const chosen = dice.find((die) => die.getAttribute("aria-pressed") === "true");
    const choose = (one) => {
      dice.forEach((die) => die.setAttribute("aria-pressed", die === one));
      orderFaces(form, one);
    };
    const die = event.target.closest("[data-turn]");
    const face = event.target.closest("[data-set]")?.dataset.set;
    const row = chosen?.closest("[data-edit]") ?? rows(form).dice;
    if (die) choose(die);
    else if (face) {
      if (!chosen && dice.length !== 1) return;
      setFace(chosen ?? dice[0], face);
    } else if (event.target.closest("[data-add]")) {
      choose(null);
      const more = newDie(form);
      more.setAttribute("aria-pressed", "true");
      row.append(more);
    } else if (event.target.closest("[data-less]") && row.children.length > 1) (chosen ?? row.lastElementChild).remove();
    else return;
    writeEvent(form);
  });
}
