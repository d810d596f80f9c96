"""Measures how parts of a page move, by the browser's record of layout shifts."""

from __future__ import annotations

from playwright.sync_api import Page

MAX_SHIFT = 8  # CSS pixels that anything may move by when a roll is entered
_WATCH = """async () => {
  // What a new size of the window moves is not counted, however late a busy browser draws it.
  await new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 250));
  window.moved = [];
  window.moves?.disconnect();
  window.moves = new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) for (const { node, previousRect: a, currentRect: b } of sources) {
      if (!a.height || !b.height || node?.parentElement?.closest(".lines")) continue; // the record grows at its head
      moved.push([node?.className || node?.nodeName, Math.abs(a.top - b.top), Math.abs(a.left - b.left)]);
    }
  });
  moves.observe({ type: "layout-shift", buffered: false });
}"""
# Resolves once the page has been equally tall in 20 frames drawn, for half a second at least.
_AT_REST = """() => new Promise((resolve) => {
  let height = 0, since = 0, frames = 0;
  const draw = (now) => {
    const seen = document.documentElement.scrollHeight;
    if (seen !== height) [height, since, frames] = [seen, now, 0];
    ++frames > 20 && now - since > 500 ? resolve() : requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
})"""


def wait_until_at_rest(page: Page) -> None:
    """Waits until the page keeps its height for some drawn frames, because a busy machine draws fewer a second."""
    page.evaluate(_AT_REST)


def watch_moves(page: Page) -> None:
    """Records from now on how far parts of the page move."""
    page.evaluate(_WATCH)


def moved(page: Page) -> list[tuple[str, float, float]]:
    """Class, and pixels down and across, of everything that moved by more than `MAX_SHIFT` since `watch_moves`."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return [(name, down, across) for name, down, across in page.evaluate("moved") if max(down, across) > MAX_SHIFT]
