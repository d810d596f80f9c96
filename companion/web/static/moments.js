// Announces important events: a strip over the page for some seconds, and a sound if the visitor wants sounds.
import { wants } from "./preferences.js";

const SECONDS = { usual: 4, great: 6 };
// Notes of each kind of event: frequency in Hz, start and length in seconds.
const NOTES = {
  gain: [[659, 0, 0.12], [880, 0.1, 0.2]],
  none: [[392, 0, 0.16]],
  alert: [[294, 0, 0.12], [294, 0.16, 0.22]],
  time: [[880, 0, 0.1], [880, 0.18, 0.1]],
  great: [[523, 0, 0.18], [659, 0.14, 0.18], [784, 0.28, 0.18], [1047, 0.42, 0.5]],
};
const strip = document.getElementById("moment");
const latest = (board) => board.querySelector("[data-moment]");
let lastShown = 0; // number of the last announced line: numbers only grow
let timer = 0;
let audio = null;
let hovered = false; // by a mouse; :hover would stay true after the strip is hidden under it

// Events before the page was opened are not announced.
export function beginMoments(board) {
  lastShown = Number(latest(board)?.dataset.moment ?? 0);
}

export function showMoment(board) {
  const moment = latest(board);
  const number = Number(moment?.dataset.moment ?? 0);
  if (!strip || number <= lastShown) {
    if (number < lastShown) hide(); // it was undone
    return;
  }
  lastShown = number;
  strip.replaceChildren(...[...moment.children].map((part) => part.cloneNode(true)));
  const great = "great" in moment.dataset;
  strip.toggleAttribute("data-great", great);
  strip.hidden = false;
  stay(great ? SECONDS.great : SECONDS.usual);
  chime(moment.dataset.kind);
}

function stay(seconds) {
  clearTimeout(timer);
  // The strip stays while the pointer is over it or it has the keyboard focus.
  timer = setTimeout(() => (hovered || strip.matches(":focus-within") ? stay(1) : hide()), seconds * 1000);
}

function hide() {
  clearTimeout(timer);
  hovered = false; // a hidden element gets no event when the pointer leaves
  strip.hidden = true;
  strip.replaceChildren();
}

strip?.addEventListener("pointerenter", ({ pointerType }) => (hovered = pointerType === "mouse"));
strip?.addEventListener("pointerleave", () => (hovered = false));
strip?.addEventListener("submit", () => setTimeout(hide));

// Plays the sound of a kind of event, if the visitor wants sounds.
export function chime(kind) {
  if (wants("sound")) play(NOTES[kind] ?? []);
}

function play(notes) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [frequency, start, length] of notes) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
