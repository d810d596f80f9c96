// News from the companion: a shared worker holds the one stream of this browser; where there are no shared workers
// the page has its own and closes it while it is hidden.

// The companion says something every 700 ms. One that hangs keeps its connections open and says nothing.
const SILENT = 1600; // milliseconds
const AT_FIRST = 3000; // milliseconds more until the stream is open

function attentive(hear) {
  let last = Date.now() + AT_FIRST;
  let silent = false;
  const look = () => {
    if (silent || document.hidden || Date.now() - last <= SILENT) return;
    silent = true;
    hear({ kind: "lost" });
  };
  const restart = () => (last = Math.max(last, Date.now() + AT_FIRST)); // a page that was hidden has missed what was said
  document.addEventListener("visibilitychange", restart);
  addEventListener("pageshow", restart);
  setInterval(look, 100);
  return (news) => {
    last = Math.max(last, Date.now());
    if (silent && news.kind !== "lost") {
      silent = false;
      hear({ kind: "open" });
    }
    if (news.kind !== "alive") hear(news);
  };
}

// view: the board this page shows, if any, and its version: newer ones are sent with the news of them.
export function listen(address, worker, { view, version }, heard) {
  const hear = attentive(heard);
  if ("SharedWorker" in window) {
    const shared = new SharedWorker(worker, { name: "courtside" });
    shared.port.onmessage = ({ data }) => hear(data);
    const hello = () => shared.port.postMessage({ kind: "hello", address, view, version });
    addEventListener("pagehide", () => shared.port.postMessage({ kind: "goodbye" }));
    addEventListener("pageshow", ({ persisted }) => persisted && hello());
    hello();
    return;
  }
  let source = null;
  let known = version;
  const open = () => {
    if (source || document.hidden) return;
    const asked = new URL(address, location);
    if (view) asked.searchParams.append("board", view);
    if (known) asked.searchParams.set("known", known);
    source = new EventSource(asked);
    source.onopen = () => hear({ kind: "open" });
    source.onerror = () => {
      hear({ kind: "lost" });
      if (source?.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(open, 2000);
      }
    };
    for (const kind of ["board", "change", "picture", "alive"]) {
      source.addEventListener(kind, (event) => {
        const news = { kind, ...JSON.parse(event.data) };
        if (kind === "board") known = news.version;
        hear(news);
      });
    }
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else open();
  });
  open();
}
