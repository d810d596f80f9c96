// The table: sends what people enter, shows the board in the response, and follows changes made elsewhere.
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
const lostConnection = document.getElementById("connection");
const noGame = document.getElementById("no-game");
const announce = document.getElementById("announce");
const token = document.querySelector("meta[name=csrf]").content;
const headers = { "X-CSRF-Token": token, "X-Fragment": "board" };
let lastRequest = 0;
let sending = Promise.resolve();
let ownVersion = null; // the board of this page's own last change

// Compares versions: numbers with dots, none of which ever decreases.
function isOlder(version, than) {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  const place = a.findIndex((part, i) => part !== b[i]);
  return place >= 0 && a[place] < b[place];
}

function show(html, version, isResponse = false) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const notice = board.querySelector("[data-key=notice]");
  // An error message stays until this person's next action, even if updates arrive.
  if (notice && !isResponse) fresh.content.querySelector("[data-key=notices]")?.prepend(notice.cloneNode(true));
  morph(board, fresh.content);
  if (version) board.dataset.version = version;
  lostConnection.hidden = true;
  showGame(true);
  preparePads(board);
  updateTray();
  const { announce: sentence, speak } = board.querySelector("[data-announce]").dataset;
  if (sentence && announce.textContent !== sentence) {
    announce.textContent = sentence;
    if (speak) say(sentence);
  }
  showMoment(board);
  dispatchEvent(new CustomEvent("board", { detail: { version: Number(version) } }));
}

// After a restart the server may have no game.
const NO_GAME = "0";
function showGame(exists) {
  noGame.hidden = exists;
  board.inert = !exists;
  board.classList.toggle("ghost", !exists);
}

// Handles an update, which may contain the new board. Updates wait while a change of this page is being sent, because
// its form is cleared only with the response.
let pendingChanges = 0;
let deferred = null;
function handleUpdate(update) {
  if (pendingChanges || pressTimer) deferred = update;
  else if (update.version === NO_GAME) {
    lostConnection.hidden = true;
    showGame(false);
  }
  else if (!isOlder(board.dataset.version, update.version)) {
    lostConnection.hidden = true;
    showGame(true);
  }
  else if (update.html) show(update.html, update.version);
  else refresh();
}

function handleDeferred() {
  if (pendingChanges || pressTimer || !deferred) return;
  const update = deferred;
  deferred = null;
  handleUpdate(update);
}

// A button must not move under a finger, or the press is lost: updates wait until it is lifted, for a second at most.
let pressTimer = 0;
function endPress() {
  clearTimeout(pressTimer);
  pressTimer = 0;
  handleDeferred();
}
addEventListener("pointerdown", () => {
  clearTimeout(pressTimer);
  pressTimer = setTimeout(endPress, 1000);
});
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(endPress));

async function refresh() {
  const request = ++lastRequest;
  try {
    const response = await fetch(frame.dataset.board, { headers });
    const html = await response.text();
    const version = response.headers.get("X-Version");
    if (version === NO_GAME && request === lastRequest) return handleUpdate({ version });
    if (!response.ok) throw new Error(response.status);
    if (request === lastRequest && !isOlder(version, board.dataset.version)) {
      show(html, version);
      reportLostPress(version);
    }
  } catch {
    if (request !== lastRequest) return;
    lostConnection.hidden = false;
    setTimeout(() => request === lastRequest && refresh(), 1500);
  }
}

// If the server could not be reached and the game has not changed since, the press was lost, and the page says so.
const gameOf = (version) => version.split(".").slice(0, 2).join(".");
let lostPress = null; // the game's version at that press
function reportLostPress(version) {
  const lost = lostPress !== null && lostPress === gameOf(version);
  lostPress = null;
  if (!lost) return;
  board.querySelector("[data-key=notice]")?.remove();
  board.querySelector("[data-key=notices]")?.prepend(document.getElementById("lost-press").content.cloneNode(true));
}

// A double tap counts once, except on undo and redo.
const inFlight = new WeakMap(); // form → the values of its request that has no response yet
function isRepeated(form, body) {
  const values = new URLSearchParams([...body].filter(([, value]) => typeof value === "string")).toString();
  const repeated = inFlight.get(form) === values && !form.closest("[data-key=undo]");
  inFlight.set(form, values);
  return repeated;
}

// Sends one change after the other. A change sent before the previous response counts as made with that response in view.
function send(form, submitter) {
  const body = new FormData(form, submitter);
  if (isRepeated(form, body)) return;
  const before = ownVersion;
  form.setAttribute("aria-busy", "true");
  pendingChanges += 1;
  sending = sending.then(() => post(form, body, before !== ownVersion)).then(endChange);
}

function endChange() {
  pendingChanges -= 1;
  handleDeferred();
}

async function post(form, body, followsOwn) {
  if (followsOwn) body.set("seen", ownVersion);
  if (frame.dataset.from) body.set("from", frame.dataset.from);
  const request = ++lastRequest;
  try {
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers });
    const html = await response.text();
    const version = response.headers.get("X-Version");
    if (response.status === 404) return refresh();
    if (!version) return location.reload();
    ownVersion = version;
    lostPress = null;
    if (dialog.open && dialog.contains(form)) dialog.close();
    const acting = board.contains(document.activeElement);
    if (!response.headers.has("X-Refused")) {
      form.reset();
      if (body.has("aside")) board.querySelector("[data-tray]")?.reset();
    }
    show(html, version, true);
    // The button just pressed may be gone: focus the turn, not the top of the page.
    const focused = document.activeElement;
    if (acting && (!board.contains(focused) || focused.disabled)) board.querySelector("#turn-title")?.focus({ preventScroll: true });
  } catch {
    lostPress ??= gameOf(board.dataset.version);
    lostConnection.hidden = false; // what was typed stays
    setTimeout(() => request === lastRequest && refresh(), 1500);
  } finally {
    form.removeAttribute("aria-busy");
    inFlight.delete(form);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-act]")) return;
  event.preventDefault();
  send(form, event.submitter);
});

async function openDialog(address) {
  try {
    const response = await fetch(address, { headers });
    if (!response.ok) throw new Error(response.status);
    dialog.innerHTML = await response.text();
  } catch {
    lostConnection.hidden = false;
    const request = ++lastRequest;
    setTimeout(() => request === lastRequest && refresh(), 1500);
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
    openDialog(opener.dataset.dialog + (opener.matches(".use") ? tickedDice() : ""));
  }
  event.target.closest("[data-dismiss]")?.closest(".notice").remove();
});

// Empty a closed dialog, so that its buttons cannot be pressed while the next one loads.
dialog.addEventListener("close", () => dialog.replaceChildren());

editIn(dialog);

// The ticked dice, as query parameters of a card's dialog.
function tickedDice() {
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

// Enables the tray's buttons for the ticked dice.
function updateTray() {
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
  // The camera's second guess comes first.
  const order = tray.querySelector("input[name=dice]:checked")?.dataset.order?.split(" ") ?? ["1", "2", "3", "4", "5", "6"];
  const line = shows.querySelector(".faces");
  for (const face of order.toReversed()) line.prepend(line.querySelector(`[value="${face}"]`));
  const wrong = tray.querySelector("input[name=dice]:checked")?.value ?? "6"; // always five others
  for (const button of line.children) button.hidden = button.value === wrong;
}

board.addEventListener("change", updateTray);
// A form with two choices is sent with the second tap.
board.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-both]");
  if (form?.querySelectorAll(":checked").length === 2) form.requestSubmit();
});

// Shortcuts: digits enter a roll or tick dice, letters press the buttons that show them.
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

listen(frame.dataset.live, frame.dataset.worker, { view: frame.dataset.board, version: board.dataset.version }, (update) => {
  if (update.kind === "lost") lostConnection.hidden = false;
  else if (update.kind === "open") lostConnection.hidden = true;
  else if (update.kind === "board" || update.kind === "change") handleUpdate(update);
  else if (update.kind === "picture") dispatchEvent(new CustomEvent("picture", { detail: update }));
});
beginMoments(board);
preparePads(board);
updateTray();
