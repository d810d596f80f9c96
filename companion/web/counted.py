"""Caches statistics over all finished games until one of these games changes or another one is finished."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import is_
from typing import TypeVar

from companion.archive.summary import Summary
from companion.web.app_state import app_state

T = TypeVar("T")


class _TheVery:
    """A list of games that compares by identity, because each game's stored facts are the same object until they
    change."""

    def __init__(self, games: list[Summary]) -> None:
        self.games = games

    def __hash__(self) -> int:
        return len(self.games)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TheVery) or len(self.games) != len(other.games):
            return False
        return all(map(is_, self.games, other.games))


def counted_once(games: Sequence[Summary], key: Hashable, count: Callable[[list[Summary]], T]) -> T:
    """`count` of the finished games, cached. `key` names the statistic."""
    ended = [game for game in games if game.finished]
    found: T = app_state().caches.lifetimes.once((key, _TheVery(ended)), lambda: count(ended))
    return found
