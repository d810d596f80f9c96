// Entering a roll: tapped or typed faces fill the slots.

const prepared = new WeakSet();
const facesIn = (text) => [...text.replace(/[^1-6]/g, "")].map(Number);

function draw(pad) {
  const field = pad.querySelector("input.typed");
  const slots = pad.querySelector("[data-slots]");
  const wanted = Number(pad.dataset.dice);
  const faces = facesIn(field.value);
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

// How many dice are rolled when these are set aside first: a pad beside active dice follows what is ticked there.
export function followTicks(inside, ticked) {
  const pad = inside.querySelector("[data-pad][data-others]");
  if (!pad) return;
  const others = Number(pad.dataset.others) - ticked.length;
  pad.dataset.dice = ticked.length ? others : pad.dataset.count;
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

function put(pad, face) {
  const field = pad.querySelector("input.typed");
  const faces = facesIn(field.value);
  if (face) faces.push(face);
  else faces.pop();
  if (faces.length > Number(pad.dataset.dice)) return;
  field.value = faces.join(" ");
  draw(pad);
  if (!face || faces.length < Number(pad.dataset.dice)) return;
  const enter = pad.querySelector("button.main");
  // The last face tapped enters the roll; what is typed into the field may still be changed, and waits for the button.
  if ("atOnce" in pad.dataset) pad.requestSubmit(enter);
  else enter.focus();
}

// Adds a face (0 takes the last one back) to the first pad inside; false when no roll is being entered.
export function typeFace(inside, face) {
  const pad = inside.querySelector("[data-pad]");
  // Beside active dice that must be set aside, digits tick those.
  if (!pad || pad.dataset.count === "0") return false;
  pad.closest("details")?.setAttribute("open", "");
  put(pad, face);
  return true;
}

export function preparePads(inside) {
  for (const pad of inside.querySelectorAll("[data-pad]")) {
    draw(pad);
    if (prepared.has(pad)) continue;
    prepared.add(pad);
    pad.addEventListener("click", (event) => {
      const button = event.target.closest("[data-face]");
      if (button) put(pad, Number(button.dataset.face));
    });
    pad.addEventListener("input", () => draw(pad));
    pad.addEventListener("reset", () => setTimeout(() => draw(pad)));
  }
}
