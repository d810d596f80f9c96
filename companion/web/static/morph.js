// Changes the children of one element into those of another, and keeps what people are using: the focus, open
// details, ticked dice. Elements are matched by data-key, or else by position and tag.

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
    // Remove old elements first: otherwise an old head of a list would make all that follow move.
    if (staying.has(key)) keyed.set(key, child);
    else child.remove();
  }
  let current = target.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    const known = key && keyed.get(key);
    // Remove white space before an element that stays, so that the element need not move.
    while (known && current?.nodeType === Node.TEXT_NODE) {
      const following = current.nextSibling;
      current.remove();
      current = following;
    }
    if (known && known !== current && known.nodeName === next.nodeName) {
      target.insertBefore(known, current);
      current = known;
    }
    if (current && sameKind(current, next)) {
      update(current, next);
      current = current.nextSibling;
    } else {
      target.insertBefore(next, current);
    }
  }
  while (current) {
    const following = current.nextSibling;
    current.remove();
    current = following;
  }
}

function update(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  copyAttributes(next, old);
  if (old.nodeName === "INPUT" || old.nodeName === "SELECT") return; // keep what a person typed or ticked
  morph(old, next);
}
