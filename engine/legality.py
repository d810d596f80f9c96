"""From one function that knows the rules to the others of `engine.games.Game`.

A game writes either `verify`, which raises, or `why_not`, which returns the refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import Illegal

Verify = Callable[[Any, str, Any], None]
WhyNot = Callable[[Any, str, Any], Illegal | None]
Can = Callable[[Any, str, Any], bool]


def refusing(verify: Verify) -> WhyNot:
    """`why_not`: the error that `verify` raises, or None if the event is legal."""

    def why_not(state: Any, seat: str, event: Any) -> Illegal | None:
        try:
            verify(state, seat, event)
        except Illegal as refusal:
            return refusal
        return None

    return why_not


def raising(why_not: WhyNot) -> Verify:
    """`verify`: raises what `why_not` returns."""

    def verify(state: Any, seat: str, event: Any) -> None:
        refusal = why_not(state, seat, event)
        if refusal is not None:
            raise refusal

    return verify


def allowing(verify: Verify) -> Can:
    """`can`: whether `verify` accepts the event."""

    def can(state: Any, seat: str, event: Any) -> bool:
        try:
            verify(state, seat, event)
        except Illegal:
            return False
        return True

    return can
