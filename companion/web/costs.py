"""What a view costs the server, marked at the view: the server decides by it before a thread is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

View = TypeVar("View", bound=Callable[..., object])
SMALL_BYTES = 64 * 1024  # every form fits; what is larger is read only from whom the view admits


def takes_long(unless: Callable[[str, bool], bool] = lambda query, fragment: False) -> Callable[[View], View]:
    """Mark a view whose answer may take a minute to work out: such requests queue for a thread of their own.

    unless: given the query string and whether only a part of the page is asked for, says that it is answered at once.
    """

    def mark(view: View) -> View:
        view.quick = unless  # type: ignore[attr-defined]
        return view

    return mark


def is_long(view: Callable[..., object], query: str, fragment: bool) -> bool:
    """Whether this request of the view may take long."""
    unless: Callable[[str, bool], bool] | None = getattr(view, "quick", None)
    return unless is not None and not unless(query, fragment)


def takes_upload(most_bytes: int) -> Callable[[View], View]:
    """Mark a view that takes requests of up to so many bytes; unmarked ones take SMALL_BYTES."""

    def mark(view: View) -> View:
        view.most_bytes = most_bytes  # type: ignore[attr-defined]
        return view

    return mark


def most_bytes(view: Callable[..., object] | None) -> int:
    """How large a request for this view may be."""
    return int(getattr(view, "most_bytes", SMALL_BYTES))
