// The time left in a turn, for games with a limit. The companion says how long the turn has lasted; this page counts on.
import { chime } from "./moments.js";
import { say } from "./speak.js";

const LOW = 15; // seconds left when the first warning comes
const box = document.getElementById("turn-timer");
const part = (name) => box.querySelector(`[data-${name}]`);
const board = document.getElementById("board");
const game = () => board.dataset.version.split(".")[0];
let without = null; // the game that has no limit: it is not asked about again
let turn = null; // { limit, name, began }, by this page's own clock

async function ask() {
  if (game() === without) return;
  const asked = game();
  const response = await fetch(box.dataset.clock).catch(() => null);
  if (!response?.ok) return;
  const answer = await response.json();
  if (answer.limit === undefined) {
    without = answer.over ? without : asked;
    turn = null;
  } else {
    const began = performance.now() - 1000 * answer.elapsed;
    // The same turn goes on, so that no warning comes twice.
    const same = turn && turn.name === answer.name && Math.abs(turn.began - began) < 2000;
    if (!same) turn = { ...answer, began, state: "" };
  }
  tick();
}

function clock(seconds) {
  const whole = Math.abs(Math.round(seconds));
  return `${seconds < -0.5 ? "+" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function tick() {
  box.hidden = turn === null;
  if (turn === null) return;
  const left = turn.limit - (performance.now() - turn.began) / 1000;
  const state = left <= 0 ? "over" : left <= LOW ? "low" : "";
  part("name").textContent = turn.name;
  part("left").textContent = clock(left);
  box.querySelector("progress").value = Math.max(0, left / turn.limit);
  part("low").hidden = state !== "low";
  part("over").hidden = state !== "over";
  box.dataset.state = state;
  if (state !== turn.state) warn(state);
}

function warn(state) {
  const first = turn.state === "" && turn.limit > 0;
  turn.state = state;
  const words = state ? `${turn.name}: ${part(state).textContent}` : "";
  part("said").textContent = words;
  if (!state || !first) return;
  chime("time");
  say(words);
}

addEventListener("board", ask);
document.addEventListener("visibilitychange", () => !document.hidden && ask());
setInterval(tick, 250);
ask();
