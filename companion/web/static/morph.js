// Turns the children of one element into those of another while keeping what people are using: focus, open
// details, ticked dice. Elements are matched by data-key, else by place and name.

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE && (node.dataset.key || node.id)) || null;

function sameKind(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

function copyAttributes(from, to) {
  for (const { name } of [...to.attributes]) {
    if (!from.hasAttribute(name) && name !== "open") to.removeAttribute(name);
  }
  for (const { name, value } of from.attributes) {
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}

export function morph(target, wanted) {
  const staying = new Set();
  for (const child of wanted.children) if (keyOf(child)) staying.add(keyOf(child));
  const keyed = new Map();
  for (const child of [...target.children]) {
    const key = keyOf(child);
    if (!key) continue;
    // Out first: if the head of a list were in the way, all that follows would be taken out and put back.
    if (staying.has(key)) keyed.set(key, child);
    else child.remove();
  }
  let here = target.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    const known = key && keyed.get(key);
    // The blanks before the one that is wanted go; it must not be moved only because of them.
    while (known && here?.nodeType === Node.TEXT_NODE) {
      const rest = here.nextSibling;
      here.remove();
      here = rest;
    }
    if (known && known !== here && known.nodeName === next.nodeName) {
      target.insertBefore(known, here);
      here = known;
    }
    if (here && sameKind(here, next)) {
      update(here, next);
      here = here.nextSibling;
    } else {
      target.insertBefore(next, here);
    }
  }
  while (here) {
    const rest = here.nextSibling;
    here.remove();
    here = rest;
  }
}

function update(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  copyAttributes(next, old);
  if (old.nodeName === "INPUT" || old.nodeName === "SELECT") return; // what a person typed or ticked stays
  morph(old, next);
}
