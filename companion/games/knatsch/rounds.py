"""The cards won in each round of Knatsch."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from companion.advice.statistics import Taken
from engine.replay import Replay


def captures_by_round(replay: Replay) -> tuple[Taken, ...]:
    """The cards each player won in each round, including tournaments and other players' castles."""
    taken: dict[int, list[tuple[str, ...]]] = {}
    for before, after in pairwise(replay.states):
        if before.dealing:
            continue
        row = taken.setdefault(before.round, [()] * before.players)
        for place, (had, has) in enumerate(zip(before.seated, after.seated, strict=True)):
            won = Counter(card.id for card in has.cards) - Counter(card.id for card in had.cards)
            row[place] += tuple(won.elements())
    return tuple(Taken(number, tuple(cards)) for number, cards in sorted(taken.items()))
