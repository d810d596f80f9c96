// Pages always come from the companion. Only one is kept in the browser, with its files: what to do when it does not
// answer. Another language or version makes another worker, which keeps its own and drops the one before.
const KEPT = {{ name|tojson }};
const PAGE = {{ page|tojson }};
const FILES = {{ files|tojson }};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll([PAGE, ...FILES])));
});

async function begin() {
  for (const name of await caches.keys()) {
    if (name.startsWith("courtside-") && name !== KEPT) await caches.delete(name);
  }
  await registration.navigationPreload?.enable(); // the page is asked for while this worker wakes up
  await clients.claim();
}

addEventListener("activate", (event) => event.waitUntil(begin()));

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request.url)) ?? Response.error()));
  }
});
