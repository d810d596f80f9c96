// The slider of a past game: the same board as live, as it was then.
import { showDialog } from "./dialogs.js";
import { morph } from "./morph.js";

const replay = document.querySelector("[data-replay]");
const board = document.getElementById("board");
const lost = document.getElementById("connection");

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
    showJudged();
    output.value = `${wanted} / ${slider.max}`;
    if (whatIf) whatIf.href = whatIf.dataset.whatIfFrom.replace(/0$/, wanted);
    if (busy) return;
    busy = true;
    try {
      const fresh = document.createElement("template");
      fresh.innerHTML = await get(wanted);
      morph(board, fresh.content);
      lost.hidden = true;
    } catch {
      lost.hidden = false;
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

// What was played at this moment, and what would have been better, once that is known.
function showJudged() {
  const now = replay?.querySelector("input").value;
  for (const judged of document.querySelectorAll("[data-moves] [data-at]")) judged.hidden = judged.dataset.at !== now;
}

// A review shows what is known, and asks for the rest as it comes. Where the answer is another page, that is shown.
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
      showJudged();
      lost.hidden = true;
      grow();
    } catch {
      lost.hidden = false;
      setTimeout(grow, 3000);
    }
  };
  grow();
}

// Charts that take their time come after the page.
for (const part of document.querySelectorAll("[data-fill]")) {
  const fill = async () => {
    try {
      const response = await fetch(part.dataset.fill, { headers: { "X-Fragment": "part" } });
      if (!response.ok) throw new Error(response.status);
      part.innerHTML = await response.text();
      lost.hidden = true;
    } catch {
      lost.hidden = false;
      setTimeout(fill, 3000);
    }
  };
  fill();
}

for (const opener of document.querySelectorAll("[data-open]")) {
  opener.addEventListener("click", () => showDialog(document.getElementById(opener.dataset.open)));
}
