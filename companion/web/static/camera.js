// The camera page: two areas with handles to drag, and how the camera is doing.
import { editAreas } from "./areas.js";
import { listen } from "./live.js";

const editor = document.querySelector(".area-editor");
const facts = document.querySelector("[data-state-of]");
const lost = document.getElementById("connection");

async function look() {
  try {
    const response = await fetch(facts.dataset.stateOf);
    if (!response.ok) throw new Error(response.status);
    facts.innerHTML = await response.text();
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}
look();
setInterval(() => !document.hidden && look(), 2000);

if (editor) {
  listen(editor.dataset.live, editor.dataset.worker, {}, (news) => {
    if (news.kind === "picture") dispatchEvent(new CustomEvent("picture", { detail: news }));
  });
  editAreas(editor, editor.querySelector("canvas"));
}
