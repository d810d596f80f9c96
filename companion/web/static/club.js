// The club's page: other tables write to the archive, so the page asks it repeatedly.
import { morph } from "./morph.js";

const page = document.querySelector("[data-club]");
const lostConnection = document.getElementById("connection");

async function refresh() {
  try {
    const response = await fetch(page.dataset.club, { headers: { "X-Fragment": "club" } });
    if (!response.ok) throw new Error(response.status);
    const fresh = document.createElement("template");
    fresh.innerHTML = await response.text();
    morph(page, fresh.content);
    lostConnection.hidden = true;
  } catch {
    lostConnection.hidden = false;
  }
}

setInterval(() => !document.hidden && refresh(), 3000);
