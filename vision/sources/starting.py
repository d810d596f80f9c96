"""A source that has given no picture yet: refused at once, or waited for while it says that it is starting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vision.sources.jpeg import Unusable
from vision.types import Frame, Lost

PATIENCE_SECONDS = 30.0  # cameras need 10 to 25 s from power to their first picture


def once_started(given: Iterable[Frame | Lost], say: Callable[[str], None]) -> Iterator[Frame | Lost]:
    """The same frames. say: is given the reason once when a source without a picture is waited for.

    Raises Unusable where there is no first picture, after PATIENCE_SECONDS if the source says that it is starting.
    """
    began: float | None = None
    seen = False
    for item in given:
        if isinstance(item, Lost) and not seen:
            if not item.starting or (began is not None and item.seconds - began > PATIENCE_SECONDS):
                raise Unusable(item.why)
            if began is None:
                began = item.seconds
                say(f"{item.why} Trying again for {PATIENCE_SECONDS:.0f} seconds.")
        seen = seen or isinstance(item, Frame)
        yield item
