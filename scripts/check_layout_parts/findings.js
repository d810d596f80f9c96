// What can be measured of a page's looks: returns sentences, each naming the place. Run in the page.
() => {
  const found = [];
  const name = (node) => {
    const text = (node.textContent || node.getAttribute("aria-label") || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${node.localName}${node.className && typeof node.className === "string" ? "." + node.className.trim().replace(/\s+/g, ".") : ""}> ${text}`;
  };
  const wide = document.scrollingElement.scrollWidth - innerWidth;
  // For screen readers alone, or until it is gone to with the keyboard.
  const clipped = (node) => {
    for (let at = node; at; at = at.parentElement) if (getComputedStyle(at).clipPath === "inset(50%)") return true;
    return false;
  };
  const seen = (node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !node.closest(".unseen, .skip, svg, canvas, option") && !clipped(node);
  // What of a box is in sight: lists scroll, and links to skip to the content wait outside the page.
  const visible = (box, parent) => {
    const shown = { left: Math.max(box.left, 0), right: box.right, top: box.top + scrollY < 0 ? 0 : box.top, bottom: box.bottom };
    for (let around = parent; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const frame = around.getBoundingClientRect();
      for (const side of ["left", "top"]) shown[side] = Math.max(shown[side], frame[side]);
      for (const side of ["right", "bottom"]) shown[side] = Math.min(shown[side], frame[side]);
    }
    return shown.right - shown.left > 2 && shown.bottom - shown.top > 2 ? shown : null;
  };
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || !seen(parent) || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.nodeName)) continue;
    const style = getComputedStyle(parent);
    const size = parseFloat(style.fontSize);
    if (size < 11.95) found.push(`text of ${size.toFixed(1)} px: ${name(parent)}`);
    const range = document.createRange();
    if (/^\s*https?:/.test(text.data)) continue; // addresses break wherever they must
    for (const { 0: word, index } of text.data.matchAll(/[\p{Script=Latin}]{4,}/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (tops.size > 1) found.push(`a word broken in two, ${word}: ${name(parent)}`);
    }
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const shown = visible(box, parent);
      if (shown) lines.push({ box: shown, parent });
      for (let around = parent; around && around !== document.body; around = around.parentElement) {
        const how = getComputedStyle(around);
        const frame = around.getBoundingClientRect();
        const scrolls = /auto|scroll/.test(how.overflowX + how.overflowY);
        if (scrolls) break;
        if (how.overflowX !== "visible" && (box.right > frame.right + 1.5 || box.left < frame.left - 1.5)) {
          found.push(`cut at the side: ${name(parent)}`);
          break;
        }
        if (how.overflowY !== "visible" && (box.bottom > frame.bottom + 3 || box.top < frame.top - 3)) {
          found.push(`cut above or below: ${name(parent)}`);
          break;
        }
      }
    }
  }
  if (wide > 1) {
    const guilty = [...document.body.querySelectorAll("*")].filter((node) => {
      for (let around = node.parentElement; around; around = around.parentElement)
        if (around !== document.documentElement && around !== document.body && getComputedStyle(around).overflowX !== "visible") return false;
      return seen(node) && node.getBoundingClientRect().right > innerWidth + 1;
    });
    found.push(`${wide} px too wide: ${guilty.length ? name(guilty.at(-1)) : "?"}`);
  }
  lines.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length && lines[j].box.top < lines[i].box.bottom - 4; j++) {
      const [a, b] = [lines[i], lines[j]];
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
      // The box of a line is taller than its letters: a heading may come that near to the line above it.
      const touching = Math.min(a.box.bottom - a.box.top, b.box.bottom - b.box.top) * 0.4;
      // A dialog covers the page, and so does the header while the page scrolls.
      const together = a.parent.closest("dialog") === b.parent.closest("dialog") && !a.parent.closest("header") === !b.parent.closest("header");
      if (across > 3 && down > touching && a.parent !== b.parent && together)
        found.push(`one over the other: ${name(a.parent)} / ${name(b.parent)}`);
    }
  }
  for (const target of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0'][role]")) {
    if (!seen(target) || target.type === "hidden" || !visible(target.getBoundingClientRect(), target)) continue;
    const label = target.closest("label") ?? (target.id && document.querySelector(`label[for="${target.id}"]`));
    const boxes = [target, ...(label && seen(label) ? [label] : [])].map((node) => node.getBoundingClientRect());
    // Links within a sentence are as tall as its line (WCAG 2.2, 2.5.8).
    const parent = target.parentElement;
    const within = target.nodeName === "A" && getComputedStyle(target).display === "inline" && parent.textContent.trim() !== target.textContent.trim();
    if (!within && !boxes.some((box) => box.width >= 23.5 && box.height >= 23.5) && boxes[0].width > 1)
      found.push(`a target of ${boxes[0].width.toFixed(0)} × ${boxes[0].height.toFixed(0)} px: ${name(target)}`);
  }
  const words = new Set();
  for (const { parent } of lines) words.add(parent.textContent.trim().replace(/\s+/g, " "));
  for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const key of ["aria-label", "title", "placeholder"]) if (node.hasAttribute(key)) words.add(node.getAttribute(key));
  return { found: [...new Set(found)], words: [...words] };
}
