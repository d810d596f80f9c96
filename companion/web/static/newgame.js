// Known names to tap instead of typing: a tap takes the next free seat, another tap frees it. Seats are saved until the
// game starts, so that the host can visit the Camera page first.
const known = document.querySelector("[data-known]");
const seats = [...document.querySelectorAll(".seating input[name=player]")];
const starters = [...document.querySelectorAll(".seating input[name=starts]")];
const form = document.querySelector("form.new-game");
const STORAGE_KEY = "seats";
const fold = (name) => name.trim().replace(/\s+/g, " ").toLowerCase();

const storage = (() => {
  try {
    return sessionStorage;
  } catch {
    return null; // the browser stores nothing
  }
})();
const save = () => {
  const starts = starters.findIndex((crown) => crown.checked);
  storage?.setItem(STORAGE_KEY, JSON.stringify({ names: seats.map((seat) => seat.value), starts }));
};
const saved = storage?.getItem(STORAGE_KEY);
if (saved && !location.search) {
  const { names, starts } = JSON.parse(saved);
  seats.forEach((seat, number) => (seat.value = names[number]));
  if (starters[starts]) starters[starts].checked = true;
}
// At first three seats are shown; the button adds one, up to the game's number of players.
const FIRST_SEATS = 3;
const add = form.querySelector("[data-add-player]");
const game = form.elements.game;
let shownSeats = FIRST_SEATS;
function showSeats() {
  const max = Number(game?.selectedOptions?.[0].dataset.most ?? seats.length);
  const taken = seats.findLastIndex((seat) => seat.value.trim()) + 1;
  const shown = Math.max(Math.min(shownSeats, max), taken);
  seats.forEach((seat, number) => (seat.closest("li").hidden = number >= shown));
  add.hidden = shown >= max;
}
add.addEventListener("click", () => {
  shownSeats = seats.filter((seat) => !seat.closest("li").hidden).length + 1;
  showSeats();
  seats[shownSeats - 1].focus();
});
form.addEventListener("change", showSeats);
showSeats();
form.addEventListener("input", save);
form.addEventListener("submit", () => storage?.removeItem(STORAGE_KEY));

if (known) {
  const chips = [...known.querySelectorAll("[data-name]")];
  const seatedNames = () => seats.map((seat) => fold(seat.value));
  const update = () => {
    const names = seatedNames();
    for (const chip of chips) {
      const seated = names.includes(fold(chip.dataset.name));
      chip.setAttribute("aria-pressed", seated);
      chip.disabled = !seated && names.every(Boolean);
    }
  };
  known.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-name]");
    if (!chip) return;
    const names = seatedNames();
    const place = names.indexOf(fold(chip.dataset.name));
    if (place < 0) {
      const free = names.indexOf("");
      if (free < 0) return;
      seats[free].value = chip.dataset.name;
    } else {
      // Later players move up, so that no seat between two players stays empty; the crown moves with its player.
      const remaining = seats.map((seat) => seat.value).filter((_, number) => number !== place);
      seats.forEach((seat, number) => (seat.value = remaining[number] ?? ""));
      const starts = starters.findIndex((crown) => crown.checked);
      if (starts > place) starters[starts - 1].checked = true;
    }
    update();
    showSeats();
    save();
  });
  for (const seat of seats) seat.addEventListener("input", update);
  known.hidden = false;
  update();
}
