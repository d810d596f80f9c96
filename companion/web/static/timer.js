// The time left in a turn, for games with a limit. The server sends how long the turn has lasted; the page counts on.
import { chime } from "./moments.js";
import { say } from "./speak.js";

const LOW = 15; // seconds left when the first warning comes
const timer = document.getElementById("turn-timer");
const element = (name) => timer.querySelector(`[data-${name}]`);
const board = document.getElementById("board");
const game = () => board.dataset.version.split(".")[0];
let unlimitedGame = null; // a game without a limit, for which the page does not ask again
let turn = null; // { limit, name, began }, by this page's own clock

async function fetchTurn() {
  if (game() === unlimitedGame) return;
  const askedGame = game();
  const response = await fetch(timer.dataset.clock).catch(() => null);
  if (!response?.ok) return;
  const answer = await response.json();
  if (answer.limit === undefined) {
    unlimitedGame = answer.over ? unlimitedGame : askedGame;
    turn = null;
  } else {
    const began = performance.now() - 1000 * answer.elapsed;
    // Keep the state of a turn that goes on, so that no warning is repeated.
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
  timer.hidden = turn === null;
  if (turn === null) return;
  const left = turn.limit - (performance.now() - turn.began) / 1000;
  const state = left <= 0 ? "over" : left <= LOW ? "low" : "";
  element("name").textContent = turn.name;
  element("left").textContent = clock(left);
  timer.querySelector("progress").value = Math.max(0, left / turn.limit);
  element("low").hidden = state !== "low";
  element("over").hidden = state !== "over";
  timer.dataset.state = state;
  if (state !== turn.state) warn(state);
}

function warn(state) {
  const first = turn.state === "" && turn.limit > 0;
  turn.state = state;
  const words = state ? `${turn.name}: ${element(state).textContent}` : "";
  element("said").textContent = words;
  if (!state || !first) return;
  chime("time");
  say(words);
}

addEventListener("board", fetchTurn);
document.addEventListener("visibilitychange", () => !document.hidden && fetchTurn());
setInterval(tick, 250);
fetchTurn();
