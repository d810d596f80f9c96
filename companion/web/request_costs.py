"""Costs of a view for the server, declared at the view, so that the server can decide before it uses a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

View = TypeVar("View", bound=Callable[..., object])
SMALL_BYTES = 64 * 1024  # every form fits; larger bodies are read only from visitors admitted to the view


def takes_long(unless: Callable[[str, bool], bool] = lambda query, fragment: False) -> Callable[[View], View]:
    """Marks a view whose response may take a minute to compute: its requests queue for a separate thread.

    Args:
        unless: Given the query string and whether only a part of the page is requested, returns whether it is quick.
    """

    def mark(view: View) -> View:
        view.quick = unless  # type: ignore[attr-defined]
        return view

    return mark


def is_long(view: Callable[..., object], query: str, fragment: bool) -> bool:
    """Whether this request of the view may take long."""
    unless: Callable[[str, bool], bool] | None = getattr(view, "quick", None)
    return unless is not None and not unless(query, fragment)


def takes_upload(max_request_bytes: int) -> Callable[[View], View]:
    """Marks a view that accepts requests of up to this many bytes; the default is SMALL_BYTES."""

    def mark(view: View) -> View:
        view.max_request_bytes = max_request_bytes  # type: ignore[attr-defined]
        return view

    return mark


def max_request_bytes(view: Callable[..., object] | None) -> int:
    """Maximum size of a request for this view."""
    return int(getattr(view, "max_request_bytes", SMALL_BYTES))
