// One event stream for all of Courtside's tabs in this browser: browsers allow only six connections to a host.
const views = new Map(); // port of a tab → address of the board it shows
const latest = new Map(); // address of a board → its newest update in the open stream
let source = null;
let address = null;
let openUrl = ""; // URL of the open stream
let known = "";

function connect() {
  const url = new URL(address, location);
  for (const view of new Set(views.values())) if (view) url.searchParams.append("board", view);
  if (source && openUrl === url.href) return;
  source?.close();
  latest.clear();
  openUrl = url.href;
  if (known && views.size === 1) url.searchParams.set("known", known); // several tabs may have different versions
  const opened = (source = new EventSource(url));
  opened.onopen = () => forward({ kind: "open" });
  opened.onerror = () => {
    if (opened !== source) return;
    forward({ kind: "lost" });
    if (opened.readyState === EventSource.CLOSED) {
      // The browser gives up after an HTTP error; the companion may be restarting.
      source = null;
      setTimeout(() => views.size && !source && connect(), 2000);
    }
  };
  for (const kind of ["board", "change", "picture", "alive"]) {
    opened.addEventListener(kind, (event) => forward({ kind, ...JSON.parse(event.data) }));
  }
}

function forward(update) {
  if (update.kind === "board") latest.set(update.view, update);
  for (const [port, view] of views) if (update.kind !== "board" || update.view === view) port.postMessage(update);
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.kind === "hello") {
      // The address depends on the viewer: another language or other rights need another stream.
      address = data.address;
      known = data.version ?? "";
      views.set(port, data.view);
      if (latest.has(data.view)) port.postMessage(latest.get(data.view));
      connect();
    } else if (data.kind === "goodbye") {
      views.delete(port);
      if (!views.size) {
        source?.close();
        source = null;
      }
    }
  };
};
