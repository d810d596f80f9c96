// The camera page: two areas with handles to drag, and the camera's status.
import { editAreas } from "./areas.js";
import { listen } from "./live.js";

const editor = document.querySelector(".area-editor");
const status = document.querySelector("[data-state-of]");
const lostConnection = document.getElementById("connection");

async function refresh() {
  try {
    const response = await fetch(status.dataset.stateOf);
    if (!response.ok) throw new Error(response.status);
    status.innerHTML = await response.text();
    lostConnection.hidden = true;
  } catch {
    lostConnection.hidden = false;
  }
}
refresh();
setInterval(() => !document.hidden && refresh(), 2000);

if (editor) {
  listen(editor.dataset.live, editor.dataset.worker, {}, (update) => {
    if (update.kind === "picture") dispatchEvent(new CustomEvent("picture", { detail: update }));
  });
  editAreas(editor, editor.querySelector("canvas"));
}
