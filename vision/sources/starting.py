"""Decides whether to wait for a source without frames: only while it says that it is starting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vision.sources.jpeg import Unusable
from vision.types import Frame, Lost

STARTING_SECONDS = 30.0  # cameras need 10 to 25 s from power-on to their first frame


def once_started(given: Iterable[Frame | Lost], say: Callable[[str], None]) -> Iterator[Frame | Lost]:
    """The frames of a source, once it has started.

    Args:
        say: Receives the reason, once, if the source is waited for.

    Raises:
        Unusable: There is no first frame; after STARTING_SECONDS if the source says that it is starting.
    """
    began: float | None = None
    seen = False
    for item in given:
        if isinstance(item, Lost) and not seen:
            if not item.starting or (began is not None and item.seconds - began > STARTING_SECONDS):
                raise Unusable(item.why)
            if began is None:
                began = item.seconds
                say(f"{item.why} Trying again for {STARTING_SECONDS:.0f} seconds.")
        seen = seen or isinstance(item, Frame)
        yield item
