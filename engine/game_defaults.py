"""Default implementations of functions of `engine.games.Game`; a game overrides those that differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.dice import Faces
from engine.errors import Illegal
from engine.events import Roll


def implied(state: Any, seat: str, event: Any) -> Sequence[Any]:
    """(): every event is explicit."""
    return ()


def merged(first: Any, second: Any) -> Any:
    """None: events are never merged."""
    return None


def on_turn(state: Any) -> str:
    """The acting seat."""
    seat: str = state.seat
    return seat


def rolled(event: Any) -> Faces:
    """The dice of a `Roll`."""
    return event.dice if isinstance(event, Roll) else ()


def ends_turn(event: Any) -> bool:
    """False: no turn is left open."""
    return False


def tableaux(state: Any) -> Sequence[Sequence[str]]:
    """Empty: there are no cards."""
    return tuple(() for _ in state.seats)


def display(state: Any) -> Mapping[str, int | None]:
    """Empty: nothing is for sale."""
    return {}


def rematch_tags(state: Any) -> Mapping[str, str]:
    """Empty: the header already has all tags that the next game needs."""
    return {}


def details(state: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """Empty: the record has everything that other programs need."""
    return {}


DEFAULTS = (implied, merged, on_turn, rolled, ends_turn, tableaux, display, rematch_tags, details)


Verify = Callable[[Any, str, Any], None]
Can = Callable[[Any, str, Any], bool]


def can_from(verify: Verify) -> Can:
    """Derives `can`: whether `verify` accepts the event."""

    def can(state: Any, seat: str, event: Any) -> bool:
        try:
            verify(state, seat, event)
        except Illegal:
            return False
        return True

    return can
