"""What is counted over all finished games: once, until another game is finished or looked back on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import is_
from typing import TypeVar

from companion.archive.summary import Summary
from companion.web.app_state import app_state

T = TypeVar("T")


class _TheVery:
    """Games that are the same as others when they are the very same objects: what is kept of each is one until it
    changes."""

    def __init__(self, games: list[Summary]) -> None:
        self.games = games

    def __hash__(self) -> int:
        return len(self.games)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TheVery) or len(self.games) != len(other.games):
            return False
        return all(map(is_, self.games, other.games))


def counted_once(games: Sequence[Summary], key: Hashable, count: Callable[[list[Summary]], T]) -> T:
    """What `count` makes of those of these games that have a winner; key: names what is counted."""
    ended = [game for game in games if game.facts.winner is not None]
    found: T = app_state().caches.lifetimes.once((key, _TheVery(ended)), lambda: count(ended))
    return found
