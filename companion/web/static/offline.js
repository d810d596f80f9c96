// The page that is shown while the companion does not answer: it asks every few seconds, and shows what was asked for.
const EVERY = 4000; // milliseconds

async function ask() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer) location.reload();
}

setInterval(ask, EVERY);
addEventListener("online", ask);
document.addEventListener("visibilitychange", ask);
