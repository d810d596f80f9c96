// Spoken announcements, when the players want them (kept on this device).
const box = document.getElementById("speak");
const wanted = () => localStorage.getItem("speak") === "1";

export function say(sentence) {
  if (!wanted() || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel(); // the newest news only
  speechSynthesis.speak(words);
}

if (box) {
  box.checked = wanted();
  box.addEventListener("change", () => localStorage.setItem("speak", box.checked ? "1" : "0"));
}
