// Where cards lie: the areas of the picture are open to be dragged at once.
import { editAreas } from "./areas.js";

const editor = document.querySelector(".area-editor");
const picture = editor?.querySelector("img");
if (picture) picture.decode().finally(() => editAreas(editor, picture));
