"""What is computed once for all who look at the same, named for what it holds."""

from __future__ import annotations

from typing import Any

from companion.web.render_cache import RenderCache


class ViewCaches:
    """The caches of the pages.

    Attributes:
        pages: pages and boards as HTML, by board and audience.
        boards: the newest boards, arranged for the templates.
        record_lines: lines of the record as HTML: an evening's lines in five languages.
        reviews: win chances and reviews of past games, by ("chances" or "review", the game's record).
        lifetimes: the players' figures of a period.
    """

    def __init__(self) -> None:
        self.pages: RenderCache[str] = RenderCache()
        self.boards: RenderCache[Any] = RenderCache(2)
        self.record_lines: RenderCache[str] = RenderCache(3000)
        self.reviews: RenderCache[Any] = RenderCache()
        self.lifetimes: RenderCache[Any] = RenderCache(8)
