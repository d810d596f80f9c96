// The club's page: other tables write to the archive, so the page asks it repeatedly.
import { morph } from "./morph.js";

const found = document.querySelector("[data-club]");
const lost = document.getElementById("connection");

async function look() {
  try {
    const response = await fetch(found.dataset.club, { headers: { "X-Fragment": "club" } });
    if (!response.ok) throw new Error(response.status);
    const fresh = document.createElement("template");
    fresh.innerHTML = await response.text();
    morph(found, fresh.content);
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

setInterval(() => !document.hidden && look(), 3000);
