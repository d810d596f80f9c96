"""What cards seen on the table say about a game of Knatsch: castles dealt, cards on top of the stacks, and where table
and record disagree.

Captures follow from the dice, so the record knows them first; the cards say whether they also lie where they belong.
"""

from __future__ import annotations

from contextlib import suppress

from companion.game.card_evidence import (
    CLEAR,
    ELSEWHERE,
    HOLD_SECONDS,
    PATIENCE_SECONDS,
    CardNews,
    CardQuestion,
    arrivals,
    tableaux_of,
)
from companion.game.changes import Sentence, Unkept
from companion.game.table import Table
from engine.errors import CourtsideError
from engine.knatsch.events import SIDES, Deal, Reveal
from vision.cards.watching import CardsSeen, LyingCard

STACKS = SIDES  # zones of the two stacks; a player's cards lie in the zone of the seat's letter
WHICH_CARD = "Several cards may be the one that was turned up: which one?"


class KnatschCardReferee:
    """Enters at one table what its cards say. `judge` may be called from one thread at a time."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def judge(self, seen: CardsSeen, seconds: float) -> CardNews:
        """Record what is clear; say what is to be asked and told now. seconds: of the newest frame."""
        asked = self._turned_up(seen, seconds)
        return CardNews(asked, self._elsewhere(seen, seconds))

    def _turned_up(self, seen: CardsSeen, seconds: float) -> tuple[CardQuestion, ...]:
        """A castle drawn, or a card that has come to lie on top of a stack; several may be meant."""
        game, state = self._table.record.game, self._table.state
        tableaux = tableaux_of(self._table)
        found: dict[str, LyingCard] = {}
        for move in game.legal(state):
            match move:
                case str(seat), Deal(card, None) as event:
                    zone, known = seat, tableaux[seat][card]
                case str(seat), Reveal(side, card, None) as event:
                    zone, known = side, 0
                case _:
                    continue
            there = [one for one in seen.lying if one.zone == zone and one.card.kind == card and _sure(one, seconds)]
            if len(there) > known and zone not in seen.stirring:
                found[f"{seat} {game.event_text(event)}"] = max(there, key=lambda one: one.since)
        if len(found) == 1:
            ((text, one),) = found.items()
            with suppress(CourtsideError, Unkept):  # said by the table itself; the next look tries again
                self._table.enter(text, "camera", sure=one.card.confidence)
        elif found:
            newest = max(found.values(), key=lambda one: one.since)
            return (CardQuestion(Sentence(WHICH_CARD, {}), tuple(found), place=newest.card.quad),)
        return ()

    def _elsewhere(self, seen: CardsSeen, seconds: float) -> tuple[CardQuestion, ...]:
        """Cards before somebody who does not have them on record, while who has them lacks them."""
        tableaux = tableaux_of(self._table)
        told = []
        for one in arrivals(seen, tableaux):
            if one.log_odds < CLEAR or seconds - one.since < PATIENCE_SECONDS or one.seat in seen.stirring:
                continue
            for owner, cards in tableaux.items():
                if owner != one.seat and cards[one.kind] > seen.kinds(owner).count(one.kind):
                    said = Sentence(ELSEWHERE, {"card": one.kind, "seat": one.seat, "owner": owner})
                    told.append(CardQuestion(said, place=one.place))
                    break
        return tuple(told)


def _sure(one: LyingCard, seconds: float) -> bool:
    return one.log_odds >= CLEAR and seconds - one.since >= HOLD_SECONDS
