// The slider of a past game: shows the board at each moment.
import { showDialog } from "./dialogs.js";
import { morph } from "./morph.js";

const replay = document.querySelector("[data-replay]");
const board = document.getElementById("board");
const lostConnection = document.getElementById("connection");

if (replay) {
  const slider = replay.querySelector("input");
  const output = replay.querySelector("output");
  const whatIf = replay.querySelector("[data-what-if-from]");
  const seen = new Map();
  const address = (moment) => replay.dataset.replay.replace(/0$/, moment);
  let busy = false;

  const get = async (moment) => {
    if (!seen.has(moment)) {
      const response = await fetch(address(moment));
      if (!response.ok) throw new Error(response.status);
      seen.set(moment, await response.text());
    }
    return seen.get(moment);
  };

  const show = async () => {
    const wanted = slider.value;
    showDecision();
    output.value = `${wanted} / ${slider.max}`;
    if (whatIf) whatIf.href = whatIf.dataset.whatIfFrom.replace(/0$/, wanted);
    if (busy) return;
    busy = true;
    try {
      const fresh = document.createElement("template");
      fresh.innerHTML = await get(wanted);
      morph(board, fresh.content);
      lostConnection.hidden = true;
    } catch {
      lostConnection.hidden = false;
      setTimeout(show, 1500);
    } finally {
      busy = false;
    }
    if (slider.value !== wanted) show();
  };

  slider.addEventListener("input", show);
  replay.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (!step) return;
    slider.value = Number(slider.value) + Number(step);
    show();
  });
}

// Shows the grade of the decision at this moment, once it is known.
function showDecision() {
  const now = replay?.querySelector("input").value;
  for (const decision of document.querySelectorAll("[data-moves] [data-at]")) decision.hidden = decision.dataset.at !== now;
}

// Loads more of a review as it is computed. If the response is another page, opens it.
for (const part of document.querySelectorAll("[data-grow]")) {
  const grow = async () => {
    const more = part.querySelector("[data-more]")?.dataset.more;
    if (!more) return;
    try {
      const response = await fetch(more, { headers: { "X-Fragment": "part" } });
      if (!response.ok) throw new Error(response.status);
      if (response.redirected) return location.replace(response.url);
      const fresh = document.createElement("template");
      fresh.innerHTML = await response.text();
      morph(part, fresh.content);
      showDecision();
      lostConnection.hidden = true;
      grow();
    } catch {
      lostConnection.hidden = false;
      setTimeout(grow, 3000);
    }
  };
  grow();
}

// Loads slow charts after the page.
for (const part of document.querySelectorAll("[data-fill]")) {
  const fill = async () => {
    try {
      const response = await fetch(part.dataset.fill, { headers: { "X-Fragment": "part" } });
      if (!response.ok) throw new Error(response.status);
      part.innerHTML = await response.text();
      lostConnection.hidden = true;
    } catch {
      lostConnection.hidden = false;
      setTimeout(fill, 3000);
    }
  };
  fill();
}

for (const opener of document.querySelectorAll("[data-open]")) {
  opener.addEventListener("click", () => showDialog(document.getElementById(opener.dataset.open)));
}
