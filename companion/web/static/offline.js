// The page shown while the server does not answer: it tries again every few seconds, then shows the requested page.
const EVERY = 4000; // milliseconds

async function retry() {
  if (document.hidden) return;
  const response = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (response) location.reload();
}

setInterval(retry, EVERY);
addEventListener("online", retry);
document.addEventListener("visibilitychange", retry);
