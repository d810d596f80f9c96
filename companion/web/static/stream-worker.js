// One event stream for all of Courtside's tabs in this browser: browsers allow only six connections to a host.
const views = new Map(); // the board that each tab shows, by its port
const last = new Map(); // the newest board of each view that came through the stream that is open
let source = null;
let address = null;
let followed = ""; // address and views of the open stream
let known = "";

function connect() {
  const wanted = new URL(address, location);
  for (const view of new Set(views.values())) if (view) wanted.searchParams.append("board", view);
  if (source && followed === wanted.href) return;
  source?.close();
  last.clear();
  followed = wanted.href;
  if (known && views.size === 1) wanted.searchParams.set("known", known); // each tab may know another one
  const mine = (source = new EventSource(wanted));
  mine.onopen = () => forward({ kind: "open" });
  mine.onerror = () => {
    if (mine !== source) return;
    forward({ kind: "lost" });
    if (mine.readyState === EventSource.CLOSED) {
      // The browser gives up after an HTTP error; the companion may be restarting.
      source = null;
      setTimeout(() => views.size && !source && connect(), 2000);
    }
  };
  for (const kind of ["board", "change", "picture", "alive"]) {
    mine.addEventListener(kind, (event) => forward({ kind, ...JSON.parse(event.data) }));
  }
}

function forward(news) {
  if (news.kind === "board") last.set(news.view, news);
  for (const [port, view] of views) if (news.kind !== "board" || news.view === view) port.postMessage(news);
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.kind === "hello") {
      // The address says who is watching: another language or other rights need another stream.
      address = data.address;
      known = data.version ?? "";
      views.set(port, data.view);
      if (last.has(data.view)) port.postMessage(last.get(data.view));
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
