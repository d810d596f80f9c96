// News from the companion: a shared worker holds the one stream of this browser; where there are no shared workers
// the page has its own and closes it while it is hidden.

export function listen(address, worker, hear) {
  if ("SharedWorker" in window) {
    const shared = new SharedWorker(worker, { name: "courtside" });
    shared.port.onmessage = ({ data }) => hear(data);
    const hello = () => shared.port.postMessage({ kind: "hello", address });
    addEventListener("pagehide", () => shared.port.postMessage({ kind: "goodbye" }));
    addEventListener("pageshow", ({ persisted }) => persisted && hello());
    hello();
    return;
  }
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(address);
    source.onopen = () => hear({ kind: "open" });
    source.onerror = () => {
      hear({ kind: "lost" });
      if (source?.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(open, 2000);
      }
    };
    for (const kind of ["change", "picture"]) {
      source.addEventListener(kind, (event) => hear({ kind, ...JSON.parse(event.data) }));
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
