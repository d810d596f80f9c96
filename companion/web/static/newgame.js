// Known names to tap instead of typing: a tap takes the next free seat, another tap frees it. Seats are kept until the
// game starts, so that the host can visit the Camera page first.
const known = document.querySelector("[data-known]");
const seats = [...document.querySelectorAll(".seating input[name=player]")];
const crowns = [...document.querySelectorAll(".seating input[name=starts]")];
const form = document.querySelector("form.new-game");
const KEPT = "seats";
const fold = (name) => name.trim().replace(/\s+/g, " ").toLowerCase();

const drawer = (() => {
  try {
    return sessionStorage;
  } catch {
    return null; // a browser that keeps nothing
  }
})();
const keep = () => {
  const starts = crowns.findIndex((crown) => crown.checked);
  drawer?.setItem(KEPT, JSON.stringify({ names: seats.map((seat) => seat.value), starts }));
};
const kept = drawer?.getItem(KEPT);
if (kept && !location.search) {
  const { names, starts } = JSON.parse(kept);
  seats.forEach((seat, number) => (seat.value = names[number]));
  if (crowns[starts]) crowns[starts].checked = true;
}
// Three chairs stand there; more come one by one, as far as the game has room.
const FIRST = 3;
const add = form.querySelector("[data-add-player]");
const game = form.elements.game;
let chairs = FIRST;
function arrange() {
  const most = Number(game?.selectedOptions?.[0].dataset.most ?? seats.length);
  const taken = seats.findLastIndex((seat) => seat.value.trim()) + 1;
  const shown = Math.max(Math.min(chairs, most), taken);
  seats.forEach((seat, number) => (seat.closest("li").hidden = number >= shown));
  add.hidden = shown >= most;
}
add.addEventListener("click", () => {
  chairs = seats.filter((seat) => !seat.closest("li").hidden).length + 1;
  arrange();
  seats[chairs - 1].focus();
});
form.addEventListener("change", arrange);
arrange();
form.addEventListener("input", keep);
form.addEventListener("submit", () => drawer?.removeItem(KEPT));

if (known) {
  const chips = [...known.querySelectorAll("[data-name]")];
  const sitting = () => seats.map((seat) => fold(seat.value));
  const update = () => {
    const names = sitting();
    for (const chip of chips) {
      const seated = names.includes(fold(chip.dataset.name));
      chip.setAttribute("aria-pressed", seated);
      chip.disabled = !seated && names.every(Boolean);
    }
  };
  known.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-name]");
    if (!chip) return;
    const names = sitting();
    const place = names.indexOf(fold(chip.dataset.name));
    if (place < 0) {
      const free = names.indexOf("");
      if (free < 0) return;
      seats[free].value = chip.dataset.name;
    } else {
      // Later players move up, so that no seat between two players stays empty; the crown moves with its player.
      const left = seats.map((seat) => seat.value).filter((_, number) => number !== place);
      seats.forEach((seat, number) => (seat.value = left[number] ?? ""));
      const starts = crowns.findIndex((crown) => crown.checked);
      if (starts > place) crowns[starts - 1].checked = true;
    }
    update();
    arrange();
    keep();
  });
  for (const seat of seats) seat.addEventListener("input", update);
  known.hidden = false;
  update();
}
