// Places of the cards: the areas in the picture can be dragged at once.
import { editAreas } from "./areas.js";

const editor = document.querySelector(".area-editor");
const picture = editor?.querySelector("img");
if (picture) picture.decode().finally(() => editAreas(editor, picture));
