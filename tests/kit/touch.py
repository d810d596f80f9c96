"""Finds targets of a page that are too small for a fingertip."""

from __future__ import annotations

from playwright.sync_api import Page

FINGERTIP = 44  # CSS pixels, WCAG 2.5.5
# Links within a sentence are exempt, as in WCAG. A label counts as part of its field.
_MEASURE = """(least) => {
  const found = new Set();
  const size = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height);
  };
  for (const node of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
    if (!node.checkVisibility({ visibilityProperty: true }) || size(node) < 2) continue;
    if (node.closest(".unseen, .skip")) continue;
    if (node.matches(".lines, pre")) continue; // scrolls, and is not pressed
    const style = getComputedStyle(node);
    if (node.nodeName === "A" && style.display === "inline") continue;
    const label = node.closest("label") ?? document.querySelector(`label[for="${node.id || "-"}"]`);
    const largest = Math.max(size(node), label ? size(label) : 0);
    if (largest > least - 0.5) continue;
    const { width, height } = node.getBoundingClientRect();
    const text = (node.getAttribute("aria-label") ?? node.textContent).trim().replace(/\\s+/g, " ").slice(0, 30);
    found.add(`${Math.round(width)} × ${Math.round(height)} ${node.localName}.${node.className} “${text}”`);
  }
  return [...found];
}"""


def too_small(page: Page) -> list[str]:
    """Size and name of every visible link, button and field that is smaller than a fingertip."""
    found: list[str] = page.evaluate(_MEASURE, FINGERTIP)
    return found
