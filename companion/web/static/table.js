// The table: sends what people enter, shows what comes back, keeps up with changes made elsewhere.
import { morph } from "./morph.js";
import { showDialog } from "./dialogs.js";
import { listen } from "./live.js";
import { followTicks, preparePads, typeFace } from "./dice.js";
import { editIn, prepareEditor } from "./correct.js";
import { beginMoments, showMoment } from "./moments.js";
import { say } from "./speak.js";
import { wants } from "./preferences.js";

const frame = document.getElementById("board-frame");
const board = document.getElementById("board");
const dialog = document.getElementById("dialog");
const lost = document.getElementById("connection");
const noGame = document.getElementById("no-game");
const announce = document.getElementById("announce");
const token = document.querySelector("meta[name=csrf]").content;
const headers = { "X-CSRF-Token": token, "X-Fragment": "board" };
let asked = 0;
let sending = Promise.resolve();
let answered = null; // the board of this page's own last change

// Versions are numbers with dots, none of which ever gets smaller.
function older(version, than) {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  const place = a.findIndex((part, i) => part !== b[i]);
  return place >= 0 && a[place] < b[place];
}

function show(html, version, acted = false) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const said = board.querySelector("[data-key=notice]");
  // A refusal stays until the next thing this person does, whatever news comes in meanwhile.
  if (said && !acted) fresh.content.querySelector("[data-key=notices]")?.prepend(said.cloneNode(true));
  morph(board, fresh.content);
  if (version) board.dataset.version = version;
  lost.hidden = true;
  seeGame(true);
  preparePads(board);
  countTicked();
  const { announce: sentence, speak } = board.querySelector("[data-announce]").dataset;
  if (sentence && announce.textContent !== sentence) {
    announce.textContent = sentence;
    if (speak) say(sentence);
  }
  showMoment(board);
  dispatchEvent(new CustomEvent("board", { detail: { version: Number(version) } }));
}

// After a restart the companion may have no game on its table: what this page shows can no longer be played on.
const NO_GAME = "0";
function seeGame(there) {
  noGame.hidden = there;
  board.inert = !there;
  board.classList.toggle("ghost", !there);
}

// News of a board, with it or without. While this page's own change is under way they wait for its answer: what was
// sent is cleared from its form only then, and must not be handed on to the form that takes its place.
let underway = 0;
let waiting = null;
function newer(news) {
  if (underway || pressed) waiting = news;
  else if (news.version === NO_GAME) {
    lost.hidden = true;
    seeGame(false);
  }
  else if (!older(board.dataset.version, news.version)) {
    lost.hidden = true;
    seeGame(true); // what is already shown: between two games there was none for a moment
  }
  else if (news.html) show(news.html, news.version);
  else refresh();
}

function catchUp() {
  if (underway || pressed || !waiting) return;
  const news = waiting;
  waiting = null;
  newer(news);
}

// A button under a finger must not move before the finger is lifted, or the press is lost. Updates wait for a second at
// most, because not every press ends on the page.
let pressed = 0;
function lifted() {
  clearTimeout(pressed);
  pressed = 0;
  catchUp();
}
addEventListener("pointerdown", () => {
  clearTimeout(pressed);
  pressed = setTimeout(lifted, 1000);
});
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(lifted)); // after the click

async function refresh() {
  const mine = ++asked;
  try {
    const response = await fetch(frame.dataset.board, { headers });
    const html = await response.text();
    const version = response.headers.get("X-Version");
    if (version === NO_GAME && mine === asked) return newer({ version });
    if (!response.ok) throw new Error(response.status);
    if (mine === asked && !older(version, board.dataset.version)) {
      show(html, version);
      tellOfLoss(version);
    }
  } catch {
    if (mine !== asked) return;
    lost.hidden = false;
    setTimeout(() => mine === asked && refresh(), 1500);
  }
}

// A player looks away after a press. If the companion was not reachable, the page says so when it is back and the game
// has not changed since, because then the press did not arrive; otherwise the board shows what did.
const gameOf = (version) => version.split(".").slice(0, 2).join(".");
let lostPress = null; // the game as it was then
function tellOfLoss(version) {
  const mine = lostPress !== null && lostPress === gameOf(version);
  lostPress = null;
  if (!mine) return;
  board.querySelector("[data-key=notice]")?.remove();
  board.querySelector("[data-key=notices]")?.prepend(document.getElementById("lost-press").content.cloneNode(true));
}

// A finger that taps twice means it once; only undo and redo count every press.
const onItsWay = new WeakMap(); // form → what was sent and has not been answered
function repeated(form, body) {
  const said = new URLSearchParams([...body].filter(([, value]) => typeof value === "string")).toString();
  const again = onItsWay.get(form) === said && !form.closest("[data-key=undo]");
  onItsWay.set(form, said);
  return again;
}

// One change after the other: who is quick has seen what the change before will come to.
function send(form, submitter) {
  const body = new FormData(form, submitter);
  if (repeated(form, body)) return;
  const before = answered;
  form.setAttribute("aria-busy", "true");
  underway += 1;
  sending = sending.then(() => deliver(form, body, before !== answered)).then(arrived);
}

function arrived() {
  underway -= 1;
  catchUp();
}

async function deliver(form, body, followsOwn) {
  if (followsOwn) body.set("seen", answered);
  if (frame.dataset.from) body.set("from", frame.dataset.from); // dialogs do not know whose phone they are opened on
  const mine = ++asked;
  try {
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers });
    const html = await response.text();
    const version = response.headers.get("X-Version");
    if (response.status === 404) return refresh(); // the game is no longer on the table
    if (!version) return location.reload();
    answered = version;
    lostPress = null;
    if (dialog.open && dialog.contains(form)) dialog.close();
    const acting = board.contains(document.activeElement);
    if (!response.headers.has("X-Refused")) {
      form.reset();
      if (body.has("aside")) board.querySelector("[data-tray]")?.reset();
    }
    show(html, version, true);
    // The button just pressed may be gone or disabled; go on from the turn, not from the top of the page.
    const focused = document.activeElement;
    if (acting && (!board.contains(focused) || focused.disabled)) board.querySelector("#turn-title")?.focus({ preventScroll: true });
  } catch {
    lostPress ??= gameOf(board.dataset.version);
    lost.hidden = false; // what was typed stays; the board says when the companion is back
    setTimeout(() => mine === asked && refresh(), 1500);
  } finally {
    form.removeAttribute("aria-busy");
    onItsWay.delete(form);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-act]")) return;
  event.preventDefault();
  send(form, event.submitter);
});

// Dialogs come from the companion, in the visitor's language.
async function openDialog(address) {
  try {
    const response = await fetch(address, { headers });
    if (!response.ok) throw new Error(response.status);
    dialog.innerHTML = await response.text();
  } catch {
    lost.hidden = false; // until the board answers again; then the person presses once more
    const mine = ++asked;
    setTimeout(() => mine === asked && refresh(), 1500);
    return;
  }
  preparePads(dialog);
  prepareEditor(dialog);
  showDialog(dialog);
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) {
    event.preventDefault(); // a link, where there are no scripts
    openDialog(opener.dataset.dialog + (opener.matches(".use") ? tickedPlaces() : ""));
  }
  event.target.closest("[data-dismiss]")?.closest(".notice").remove();
});

// What was asked about last must not be there to press while the next question is still on its way.
dialog.addEventListener("close", () => dialog.replaceChildren());

editIn(dialog);

// The dice ticked on the table are those that a card is used on.
function tickedPlaces() {
  const places = [...board.querySelectorAll("[data-tray] input[name=dice]:checked")].map((die) => die.dataset.place);
  return places.length ? `?${new URLSearchParams(places.map((place) => ["place", place]))}` : "";
}

dialog.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-choose]");
  if (!form) return;
  const question = new URLSearchParams(new FormData(form));
  question.delete("csrf");
  const focused = event.target.dataset.key || event.target.closest("[data-key]")?.dataset.key;
  openDialog(`${form.dataset.choose}?${question}`).then(() => {
    dialog.querySelector(`[data-key="${CSS.escape(focused ?? "")}"] input`)?.focus();
  });
});

// Ticked dice decide what the tray offers.
function countTicked() {
  const tray = board.querySelector("[data-tray]");
  if (!tray) return;
  const faces = [...tray.querySelectorAll("input[name=dice]:checked")].map((die) => die.value);
  const ticked = faces.length;
  followTicks(board, faces);
  const keep = tray.querySelector("[data-needs-dice]");
  if (keep) {
    keep.disabled = !ticked;
    keep.querySelector("[data-count]").textContent = ticked || "";
  }
  const shows = tray.querySelector("[data-shows]");
  if (!shows) return;
  const fix = tray.querySelector("[data-fix-die]");
  fix.disabled = ticked !== 1;
  if (fix.disabled && shows.matches(":popover-open")) shows.hidePopover();
  // What the camera thinks second likeliest comes first.
  const order = tray.querySelector("input[name=dice]:checked")?.dataset.order?.split(" ") ?? ["1", "2", "3", "4", "5", "6"];
  const line = shows.querySelector(".faces");
  for (const face of order.toReversed()) line.prepend(line.querySelector(`[value="${face}"]`));
  const wrong = tray.querySelector("input[name=dice]:checked")?.value ?? "6"; // always five others
  for (const button of line.children) button.hidden = button.value === wrong; // never the one for no die
}

board.addEventListener("change", countTicked);
// What a card shows is known with the second of two taps.
board.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-both]");
  if (form?.querySelectorAll(":checked").length === 2) form.requestSubmit();
});

// Keyboard: digits roll or tick dice, letters do what the buttons that show them do, unless it is switched off here.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  if (event.key.length === 1 && !wants("keys")) return;
  if (/^[1-6]$/.test(event.key)) {
    if (typeFace(board, Number(event.key))) event.preventDefault();
    else {
      const die = board.querySelector(`[data-tray] input[value="${event.key}"]:not(:checked):not(:disabled)`);
      die?.click();
    }
  } else if (event.key === "Backspace") typeFace(board, 0);
  else if (event.key === "Enter" && event.target.matches("body, main, #turn-title, input[type=checkbox]")) {
    const ready = board.querySelector("[data-pad][data-complete] button.main, [data-tray] [data-needs-dice]:not(:disabled)");
    if (ready) {
      event.preventDefault();
      ready.click();
    }
  } else {
    const shortcut = board.querySelector(`[data-shortcut="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`);
    shortcut?.click();
  }
});

listen(frame.dataset.live, frame.dataset.worker, { view: frame.dataset.board, version: board.dataset.version }, (news) => {
  if (news.kind === "lost") lost.hidden = false;
  else if (news.kind === "open") lost.hidden = true;
  else if (news.kind === "board" || news.kind === "change") newer(news);
  else if (news.kind === "picture") dispatchEvent(new CustomEvent("picture", { detail: news }));
});
beginMoments(board);
preparePads(board);
countTicked();
