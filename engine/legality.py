"""Derives the legality functions of `engine.games.Game` from one of them.

A game implements either `verify`, which raises an error, or `why_not`, which returns it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import Illegal

Verify = Callable[[Any, str, Any], None]
WhyNot = Callable[[Any, str, Any], Illegal | None]
Can = Callable[[Any, str, Any], bool]


def refusing(verify: Verify) -> WhyNot:
    """Derives `why_not`: the error that `verify` raises, or None if the event is legal."""

    def why_not(state: Any, seat: str, event: Any) -> Illegal | None:
        try:
            verify(state, seat, event)
        except Illegal as refusal:
            return refusal
        return None

    return why_not


def raising(why_not: WhyNot) -> Verify:
    """Derives `verify`: it raises the error that `why_not` returns."""

    def verify(state: Any, seat: str, event: Any) -> None:
        refusal = why_not(state, seat, event)
        if refusal is not None:
            raise refusal

    return verify


def allowing(verify: Verify) -> Can:
    """Derives `can`: whether `verify` accepts the event."""

    def can(state: Any, seat: str, event: Any) -> bool:
        try:
            verify(state, seat, event)
        except Illegal:
            return False
        return True

    return can
