"""Caches of results that many viewers share, named for what they hold."""

from __future__ import annotations

from typing import Any

from companion.web.render_cache import RenderCache


class ViewCaches:
    """The caches of the pages.

    Attributes:
        pages: Pages and boards as HTML, by board and audience.
        boards: The newest boards, arranged for the templates.
        record_lines: Lines of the record as HTML: an evening's lines in five languages.
        reviews: Win probabilities and reviews of past games, by ("chances" or "review", the game's record).
        lifetimes: The players' statistics of a period.
    """

    def __init__(self) -> None:
        self.pages: RenderCache[str] = RenderCache()
        self.boards: RenderCache[Any] = RenderCache(2)
        self.record_lines: RenderCache[str] = RenderCache(3000)
        self.reviews: RenderCache[Any] = RenderCache()
        self.lifetimes: RenderCache[Any] = RenderCache(8)
