// Your cards: the image is refreshed until one of its cards is chosen.
const place = document.querySelector("[data-cards]");

async function refresh() {
  try {
    if (document.hidden || place.matches(":focus-within")) return;
    const response = await fetch(place.dataset.cards, { headers: { "X-Fragment": "1" } });
    if (!response.ok) return;
    const fresh = document.createElement("div");
    fresh.innerHTML = await response.text();
    const picture = fresh.querySelector("img");
    if (picture) await picture.decode().catch(() => {}); // decode first, so that nothing flickers
    if (!place.matches(":focus-within")) place.replaceChildren(...fresh.childNodes);
  } catch {
    // try again with the timer
  } finally {
    setTimeout(refresh, 1500);
  }
}
if (place) setTimeout(refresh, 1500);
