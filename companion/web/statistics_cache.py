"""Caches statistics over all finished games until one of these games changes or another one is finished."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import is_
from typing import TypeVar

from companion.archive.summary import Summary
from companion.web.app_state import app_state

T = TypeVar("T")


class _SameGames:
    """A cache key for a list of games. It compares them by identity, because a game's stored facts are the same
    object until they change."""

    def __init__(self, games: list[Summary]) -> None:
        self.games = games

    def __hash__(self) -> int:
        return len(self.games)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SameGames) or len(self.games) != len(other.games):
            return False
        return all(map(is_, self.games, other.games))


def cached_statistic(games: Sequence[Summary], key: Hashable, compute: Callable[[list[Summary]], T]) -> T:
    """`count` of the finished games, cached. `key` names the statistic."""
    finished = [game for game in games if game.finished]
    found: T = app_state().caches.statistics.get_or_compute((key, _SameGames(finished)), lambda: compute(finished))
    return found
