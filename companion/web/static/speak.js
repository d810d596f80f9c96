// Spoken announcements, when the players want them.
import { wants } from "./preferences.js";

export function say(sentence) {
  if (!wants("speak") || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel(); // only the newest
  speechSynthesis.speak(words);
}
