// The camera's picture, frame by frame: the next one is requested when this one is painted.
const figure = document.getElementById("watch");
const canvas = figure.querySelector("canvas");
const boxes = figure.querySelector(".boxes");
const state = figure.querySelector("[data-state]");
const lamp = figure.querySelector("[data-lamp]");
const lost = figure.querySelector("[data-lost]");
const words = JSON.parse(figure.dataset.words);
const context = canvas.getContext("2d");
const SVG = "http://www.w3.org/2000/svg";
let shown = 0;
let busy = false;
let again = false;
let failing = false; // whether pictures fail; the board may still arrive
const STALE = 4000; // milliseconds after which a picture is no longer shown as live
let newest = Date.now();

function svg(kind, attributes, text) {
  const part = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  if (text !== undefined) part.textContent = text;
  return part;
}

function drawBoxes(seen) {
  const [width, height] = seen.size;
  const unit = width / 100;
  boxes.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const parts = seen.areas.map(([place, corners]) =>
    svg("polygon", { class: `area ${place}`, points: corners.map(([x, y]) => `${x * width},${y * height}`).join(" ") }),
  );
  for (const die of seen.dice) {
    const [x, y, w, h] = [die.box[0] * width, die.box[1] * height, die.box[2] * width, die.box[3] * height];
    const group = svg("g", { class: `seen${die.kept ? " kept" : ""}${die.advised ? " advised" : ""}`, "data-value": die.value });
    group.append(
      svg("rect", { x, y, width: w, height: h, rx: unit * 0.6 }),
      svg("circle", { cx: x + w, cy: y, r: unit * 1.7 }),
      svg("text", { x: x + w, y: y + unit * 0.75, "font-size": unit * 2.2 }, die.sure < 0.6 ? `${die.value}?` : die.value),
    );
    if (die.advised) group.append(svg("text", { x: x + w / 2, y: y + h + unit * 2.4, "font-size": unit * 2.4, class: "tick" }, "✓"));
    parts.push(group);
  }
  boxes.replaceChildren(...parts);
}

function setState(sentence, motion) {
  if (state.textContent !== sentence) state.textContent = sentence;
  lamp.dataset.motion = motion;
}

async function fetchPicture() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  try {
    const response = await fetch(`${figure.dataset.picture}?after=${shown}`);
    if (!response.ok) throw new Error(response.status);
    if (failing) setState("", "");
    failing = false;
    if (response.status === 204) checkFrozen();
    if (response.status === 200) {
      newest = Date.now();
      figure.classList.remove("frozen");
      const seen = JSON.parse(response.headers.get("X-Seen"));
      const picture = await createImageBitmap(await response.blob());
      if (canvas.width !== picture.width || canvas.height !== picture.height) {
        canvas.width = picture.width;
        canvas.height = picture.height;
      }
      context.drawImage(picture, 0, 0);
      picture.close();
      drawBoxes(seen);
      shown = seen.number;
      lost.hidden = true;
      setState(words[seen.motion] ?? "", seen.motion);
    }
  } catch {
    failing = true; // requested again with the next update, or by the timer
    setState(figure.dataset.failed, "lost");
  } finally {
    busy = false;
    if (again) requestAnimationFrame(fetchPicture);
  }
}

// Marks a picture that has not changed for a while as frozen.
function checkFrozen() {
  if (!shown || Date.now() - newest < STALE) return;
  const ended = document.querySelector("[data-camera]")?.dataset.camera === "ended";
  figure.classList.add("frozen");
  setState(ended ? figure.dataset.ended : figure.dataset.frozen, ended ? "" : "lost");
}

addEventListener("picture", () => !document.hidden && fetchPicture());
function showState() {
  const camera = document.querySelector("[data-camera]");
  if (!camera) return;
  const gone = camera.dataset.camera === "lost";
  figure.classList.toggle("lost", gone);
  if (gone) {
    setState(figure.dataset.dark, "lost"); // the notice above the board says why
    lost.hidden = shown > 0;
  }
}
addEventListener("board", showState);
showState();
boxes.addEventListener("click", (event) => {
  const value = event.target.closest("[data-value]")?.dataset.value;
  const die = value && document.querySelector(`[data-tray] input[value="${value}"]:not(:checked):not(:disabled)`);
  die?.click();
  die?.focus();
});
// The server encodes pictures only while a page requests them.
setInterval(() => !document.hidden && fetchPicture(), 2000);
fetchPicture();
