// Updates from the server: a shared worker holds the one stream of this browser. Without shared workers the page has its
// own stream and closes it while it is hidden.

// The server sends a heartbeat every 700 ms.
const SILENT = 1600; // milliseconds without a message after which the connection counts as lost
const CONNECTING = 3000; // additional milliseconds until the stream is open

// Calls `onUpdate` for each update, and with the kinds "lost" and "open" when the messages stop and start again.
function watchForSilence(onUpdate) {
  let last = Date.now() + CONNECTING;
  let silent = false;
  const check = () => {
    if (silent || document.hidden || Date.now() - last <= SILENT) return;
    silent = true;
    onUpdate({ kind: "lost" });
  };
  const restart = () => (last = Math.max(last, Date.now() + CONNECTING)); // a hidden page gets no messages
  document.addEventListener("visibilitychange", restart);
  addEventListener("pageshow", restart);
  setInterval(check, 100);
  return (update) => {
    last = Math.max(last, Date.now());
    if (silent && update.kind !== "lost") {
      silent = false;
      onUpdate({ kind: "open" });
    }
    if (update.kind !== "alive") onUpdate(update);
  };
}

// view: address of the board that this page shows, if any; version: its version. Updates contain the newer board.
export function listen(address, worker, { view, version }, onUpdate) {
  const handle = watchForSilence(onUpdate);
  if ("SharedWorker" in window) {
    const shared = new SharedWorker(worker, { name: "courtside" });
    shared.port.onmessage = ({ data }) => handle(data);
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
    const url = new URL(address, location);
    if (view) url.searchParams.append("board", view);
    if (known) url.searchParams.set("known", known);
    source = new EventSource(url);
    source.onopen = () => handle({ kind: "open" });
    source.onerror = () => {
      handle({ kind: "lost" });
      if (source?.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(open, 2000);
      }
    };
    for (const kind of ["board", "change", "picture", "alive"]) {
      source.addEventListener(kind, (event) => {
        const update = { kind, ...JSON.parse(event.data) };
        if (kind === "board") known = update.version;
        handle(update);
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
