// One event stream for all of Courtside's tabs in this browser: browsers allow only six connections to a host.
const ports = new Set();
let source = null;
let last = null;
let address = null;

function tell(message) {
  for (const port of ports) port.postMessage(message);
}

function connect() {
  if (source || !address) return;
  source = new EventSource(address);
  source.onopen = () => tell({ kind: "open" });
  source.onerror = () => {
    tell({ kind: "lost" });
    if (source.readyState === EventSource.CLOSED) {
      // The browser gives up after an HTTP error; the companion may be restarting.
      source = null;
      setTimeout(connect, 2000);
    }
  };
  for (const kind of ["change", "picture"]) {
    source.addEventListener(kind, (event) => {
      const message = { kind, ...JSON.parse(event.data) };
      if (kind === "change") last = message;
      tell(message);
    });
  }
}

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.kind === "hello") {
      address = data.address;
      ports.add(port);
      if (last) port.postMessage(last);
      connect();
    } else if (data.kind === "goodbye") {
      ports.delete(port);
      if (!ports.size && source) {
        source.close();
        source = null;
      }
    }
  };
};
