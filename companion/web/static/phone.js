// The phone's camera, picture by picture: the next one is taken when this one has arrived, so nothing queues.
const page = document.querySelector(".phone-camera");
const video = page.querySelector("video");
const start = page.querySelector("[data-start]");
const stop = page.querySelector("[data-stop]");
const status = page.querySelector("[data-status]");
const token = document.querySelector("meta[name=csrf]").content;
const canvas = document.createElement("canvas");
const WIDTH = 1280;
const FASTEST = 1000 / 20;
let stream = null;
let wakeLock = null;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function keepAwake() {
  try {
    wakeLock = await navigator.wakeLock?.request("screen");
  } catch {
    // Low battery: the phone decides.
  }
}

function takePicture() {
  const scale = Math.min(1, WIDTH / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
}

// The status stays until the next one. A picture sent before Stop was pressed changes it no more.
function setStatus(sentence) {
  if (stream && status.textContent !== sentence) status.textContent = sentence;
}

async function send() {
  const times = [];
  let reported = 0;
  while (stream) {
    const started = performance.now();
    const picture = video.videoWidth && (await takePicture());
    try {
      if (picture) {
        const response = await fetch(page.dataset.send, {
          method: "POST",
          body: picture,
          headers: { "Content-Type": "image/jpeg", "X-CSRF-Token": token },
        });
        if (response.status === 409) {
          setStatus(page.dataset.unwanted);
          await pause(2000);
        } else if (response.ok) {
          times.push({ at: performance.now(), took: performance.now() - started });
          if (times.length > 20) times.shift();
          if (performance.now() - reported > 1000 && times.length > 1) {
            reported = performance.now();
            const seconds = (times.at(-1).at - times[0].at) / 1000;
            const rate = ((times.length - 1) / seconds).toFixed(1);
            const latency = Math.round(times.reduce((sum, { took }) => sum + took, 0) / times.length);
            setStatus(page.dataset.sending.replace("RATE", rate).replace("LATENCY", latency));
          }
        } else if (response.status === 403) {
          location.reload();
          return;
        } else {
          setStatus((await response.text()).slice(0, 300));
          times.length = 0; // counting restarts after that
          await pause(1000);
        }
      }
    } catch {
      setStatus(page.dataset.gone);
      await pause(1000);
    }
    await pause(Math.max(0, FASTEST - (performance.now() - started)));
  }
}

start.addEventListener("click", async () => {
  if (!navigator.mediaDevices) {
    status.textContent = page.dataset.insecure;
    return;
  }
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } },
    });
  } catch {
    status.textContent = page.dataset.refused;
    return;
  }
  video.srcObject = stream;
  await video.play();
  video.style.aspectRatio = `${video.videoWidth} / ${video.videoHeight}`; // all that is sent, so that the frame fits
  start.hidden = true;
  stop.hidden = false;
  keepAwake();
  send();
});

stop.addEventListener("click", () => {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  wakeLock?.release();
  status.textContent = page.dataset.stopped;
  start.hidden = false;
  stop.hidden = true;
});
document.addEventListener("visibilitychange", () => stream && !document.hidden && keepAwake());

// The phone is steady if most parts of a tiny grey picture have not changed. A hand changes only some of them, and
// a new exposure changes all of them alike.
const tiny = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const [ACROSS, DOWN, CHANGED] = [32, 18, 16]; // parts of the picture; how much brighter or darker counts as another
let greys = null;
let steady = null;
function checkSteady() {
  if (!stream || !video.videoWidth) return;
  [tiny.canvas.width, tiny.canvas.height] = [ACROSS, DOWN];
  tiny.drawImage(video, 0, 0, ACROSS, DOWN);
  const pixels = tiny.getImageData(0, 0, ACROSS, DOWN).data;
  const now = Array.from({ length: ACROSS * DOWN }, (_, part) => (pixels[4 * part] + pixels[4 * part + 1] + pixels[4 * part + 2]) / 3);
  if (greys) {
    const changes = now.map((grey, part) => grey - greys[part]);
    const brighter = changes.reduce((sum, change) => sum + change, 0) / changes.length;
    const changed = changes.filter((change) => Math.abs(change - brighter) > CHANGED).length;
    steady = changed < changes.length / 3;
  }
  greys = now;
}

// The guide over and below the picture says what the picture still needs, and when the table uses this camera.
const guide = page.querySelector("[data-guide]");
const frame = page.querySelector("[data-frame]");
function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const found = fresh.content.querySelector("[data-frame]");
  found?.remove();
  frame.hidden = !found || !stream;
  if (found) {
    const steadyItem = document.createElement("li");
    steadyItem.dataset.done = { true: "yes", false: "no", null: "open" }[steady];
    steadyItem.textContent = guide.dataset.steady;
    found.querySelector("ul").append(steadyItem);
    if (frame.innerHTML !== found.innerHTML) frame.innerHTML = found.innerHTML;
    frame.toggleAttribute("data-ready", "ready" in found.dataset && steady !== false);
  }
  const remainder = document.createElement("div");
  remainder.append(fresh.content);
  if (guide.innerHTML !== remainder.innerHTML) guide.innerHTML = remainder.innerHTML;
}
async function updateGuide() {
  if (document.hidden) return;
  try {
    const response = await fetch(guide.dataset.guide);
    checkSteady();
    if (response.ok) show(await response.text());
  } catch {
    // The status of the pictures reports a lost connection.
  }
}
if (guide) {
  updateGuide();
  setInterval(updateGuide, 1500);
}
