// Entering a roll: tapped or typed faces fill the slots.

const prepared = new WeakSet();
const readFaces = (text) => [...text.replace(/[^1-6]/g, "")].map(Number);

function draw(pad) {
  const field = pad.querySelector("input.typed");
  const slots = pad.querySelector("[data-slots]");
  const wanted = Number(pad.dataset.dice);
  const faces = readFaces(field.value);
  const shown = Array.from({ length: Math.max(wanted, faces.length) }, (_, place) => faces[place] ?? 0);
  slots.replaceChildren(
    ...shown.map((face) => {
      const die = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      die.setAttribute("class", "die");
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", `#face-${face}`);
      die.append(use);
      return die;
    }),
  );
  pad.toggleAttribute("data-complete", faces.length === wanted);
}

// A pad beside active dice is for rolling those that are not ticked.
export function followTicks(container, ticked) {
  const pad = container.querySelector("[data-pad][data-others]");
  if (!pad) return;
  const remaining = Number(pad.dataset.others) - ticked.length;
  pad.dataset.dice = ticked.length ? remaining : pad.dataset.count;
  pad.querySelector("[data-aside]").replaceChildren(
    ...ticked.map((face) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "aside", value: face });
      return field;
    }),
  );
  const idle = pad.dataset.dice === "0";
  for (const button of pad.querySelectorAll("button, input.typed")) button.disabled = idle;
  pad.toggleAttribute("data-idle", idle);
  draw(pad);
}

function addFace(pad, face) {
  const field = pad.querySelector("input.typed");
  const faces = readFaces(field.value);
  if (face) faces.push(face);
  else faces.pop();
  if (faces.length > Number(pad.dataset.dice)) return;
  field.value = faces.join(" ");
  draw(pad);
  if (!face || faces.length < Number(pad.dataset.dice)) return;
  const enter = pad.querySelector("button.main");
  // A tap on the last face enters the roll. Typed faces wait for the button, so that they can be changed.
  if ("atOnce" in pad.dataset) pad.requestSubmit(enter);
  else enter.focus();
}

// Adds a face to the first pad in the container (0 removes the last one). Returns false if no roll can be entered.
export function typeFace(container, face) {
  const pad = container.querySelector("[data-pad]");
  // If dice must be set aside first, digits tick dice instead.
  if (!pad || pad.dataset.count === "0") return false;
  pad.closest("details")?.setAttribute("open", "");
  addFace(pad, face);
  return true;
}

export function preparePads(container) {
  for (const pad of container.querySelectorAll("[data-pad]")) {
    draw(pad);
    if (prepared.has(pad)) continue;
    prepared.add(pad);
    pad.addEventListener("click", (event) => {
      const button = event.target.closest("[data-face]");
      if (button) addFace(pad, Number(button.dataset.face));
    });
    pad.addEventListener("input", () => draw(pad));
    pad.addEventListener("reset", () => setTimeout(() => draw(pad)));
  }
}
