"""Derives game events of Knatsch from the cards on the table: castles dealt, tops of stacks, targets, guards, and
differences from the record.

Captures follow from the dice, so the record has them first; the cards show whether they are where they belong. A player
shows a target to the camera by turning the card sideways. A card is guarded if it overlaps its guard while other cards
of that player are separate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations

import numpy as np

from companion.game.card_evidence import DICE_WAIT_SECONDS, ELSEWHERE, CardMessages, CardQuestion, arrivals
from companion.game.changes import NotSaved, Sentence
from companion.game.table import Table
from companion.game.used_cards import CLEAR_LOG_ODDS, HOLD_SECONDS, TurnStart, tableaux_of
from engine.errors import CourtsideError
from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.events import SIDES, Deal, Reveal
from vision.cards.quads import overlap
from vision.cards.watching import CardsSeen, RestingCard

STACKS = SIDES  # zones of the two stacks; a player's cards are in the zone of the seat's letter
MIN_OVERLAP = 0.05  # minimum overlap of a card with its guard, as a share of the card
GUARDS: dict[str, Callable[[str], bool]] = {"castle-guard": is_castle, "special-guard": is_special}
WHICH_CARD = "Several cards could be the one that was revealed. Which is it?"


class KnatschCardReferee:
    """Records what the cards of one table show. `judge` may be called from one thread at a time."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._clock = TurnStart(table)
        self._tops: dict[str, tuple[str, float]] = {}  # the card last on record, and the time when it still was

    def judge(self, seen: CardsSeen, seconds: float) -> CardMessages:
        """Records certain events; returns the questions and sentences to show.

        Args:
            seconds: Time of the newest frame.
        """
        self._clock.update(seconds)
        tops = {side: self._table.state.top(side) for side in STACKS}
        self._tops |= {side: (top.id, seconds) for side, top in tops.items() if top is not None}
        asked = self._turned_up(seen, seconds)
        self._enter_first(self._put_under(seen, seconds))
        self._enter_first(self._guarded(seen, seconds))
        self._enter_first(self._attacked(seen, seconds), alone=True)
        return CardMessages(asked, self._elsewhere(seen, seconds))

    def _enter_first(self, found: Iterator[tuple[str, float]], *, alone: bool = False) -> None:
        """Records the first event that the rules allow. `alone`: only if they allow no other."""
        possible = [(text, sure) for text, sure in found if self._table.refusal(text) is None]
        if possible and not (alone and len(possible) > 1):
            self._enter(*possible[0])

    def _enter(self, text: str, sure: float) -> None:
        with suppress(CourtsideError, NotSaved):  # the table reports it; the next pass tries again
            self._table.enter(text, "camera", sure=sure)

    def _turned_up(self, seen: CardsSeen, seconds: float) -> tuple[CardQuestion, ...]:
        """A castle drawn, or a new card on top of a stack; there may be several candidates."""
        game, state = self._table.record.game, self._table.state
        tableaux = tableaux_of(self._table)
        found: dict[str, RestingCard] = {}
        for move in game.legal(state):
            match move:
                case str(seat), Deal(card, None) as event:
                    zone, known = seat, tableaux[seat][card]
                case str(seat), Reveal(side, card, None) as event:
                    zone, known = side, 0
                case _:
                    continue
            there = [one for one in seen.cards if one.zone == zone and one.card.kind == card and _sure(one, seconds)]
            there = [one for one in there if not self._was_on_top(one)]
            if len(there) > known and zone not in seen.unread:
                found[f"{seat} {game.event_text(event)}"] = max(there, key=lambda one: one.since)
        if len(found) == 1:
            ((text, one),) = found.items()
            self._enter(text, one.card.confidence)
        elif found:
            newest = max(found.values(), key=lambda one: one.since)
            return (CardQuestion(Sentence(WHICH_CARD, {}), tuple(found), place=newest.card.quad),)
        return ()

    def _was_on_top(self, one: RestingCard) -> bool:
        """Whether the record has just taken this card from a stack; players move it later."""
        kind, until = self._tops.get(one.zone, ("", 0.0))
        return one.card.kind == kind and one.since <= until

    def _put_under(self, seen: CardsSeen, seconds: float) -> Iterator[tuple[str, float]]:
        """Yields, for each stack whose top card on record has gone from the table, an event and the confidence of the
        new top card."""
        state = self._table.state
        for side in STACKS:
            top = state.top(side)
            there = [one for one in seen.cards if one.zone == side and _sure(one, seconds, DICE_WAIT_SECONDS)]
            if top is None or not there or seen.unread or top.id in seen.kinds(side):
                continue
            before_players = sum(seen.kinds(seat).count(top.id) for seat in state.seats)
            if before_players <= sum(state.tableau(seat).count(top.id) for seat in state.seats):
                yield f"{state.seat} under {side}", there[0].card.confidence

    def _attacked(self, seen: CardsSeen, seconds: float) -> Iterator[tuple[str, float]]:
        """Cards turned sideways since the last attempt that are where the record has them."""
        state = self._table.state
        for one in seen.cards:
            recent = one.turned is not None and self._clock.began < one.turned <= seconds - HOLD_SECONDS
            if not recent or one.zone in seen.unread or not _sure(one, seconds):
                continue
            if one.zone in STACKS:
                top = state.top(one.zone)
                if top is not None and top.id == one.card.kind:
                    yield f"{state.seat} target {one.zone}", one.card.confidence
            else:
                yield f"{state.seat} target {one.zone} {one.card.kind}", one.card.confidence

    def _guarded(self, seen: CardsSeen, seconds: float) -> Iterator[tuple[str, float]]:
        """Cards that overlap their guard. None if other cards of this player overlap too, because then they are just
        a row."""
        state = self._table.state
        seat = state.guarding or state.seat
        mine = [one for one in seen.cards if one.zone == seat and _sure(one, seconds, DICE_WAIT_SECONDS)]
        touching: dict[str, list[str]] = {}
        for one, other in combinations(mine, 2):
            if not _touches(one, other):
                continue
            guard = next((a for a, b in ((one, other), (other, one)) if _guards(a, b)), None)
            if guard is None:
                return
            touching.setdefault(str(guard.card.kind), []).append(str((other if guard is one else one).card.kind))
        if seat not in seen.unread:
            for cards in touching.values():
                yield f"{seat} guard {' '.join(sorted(cards))}", min(one.card.confidence for one in mine)

    def _elsewhere(self, seen: CardsSeen, seconds: float) -> tuple[CardQuestion, ...]:
        """Cards in front of a player who does not have them on record, while the recorded owner lacks them."""
        tableaux = tableaux_of(self._table)
        notices = []
        for one in arrivals(seen, tableaux):
            if one.log_odds < CLEAR_LOG_ODDS or seconds - one.since < DICE_WAIT_SECONDS or one.seat in seen.unread:
                continue
            for owner, cards in tableaux.items():
                if owner != one.seat and cards[one.kind] > seen.kinds(owner).count(one.kind):
                    sentence = Sentence(ELSEWHERE, {"card": one.kind, "seat": one.seat, "owner": owner})
                    notices.append(CardQuestion(sentence, place=one.place))
                    break
        return tuple(notices)


def _sure(one: RestingCard, seconds: float, held: float = HOLD_SECONDS) -> bool:
    return one.card.kind is not None and one.log_odds >= CLEAR_LOG_ODDS and seconds - one.since >= held


def _touches(one: RestingCard, other: RestingCard) -> bool:
    a, b = np.array(one.card.quad), np.array(other.card.quad)
    return max(overlap(a, b, of_first=True), overlap(b, a, of_first=True)) > MIN_OVERLAP


def _guards(one: RestingCard, other: RestingCard) -> bool:
    """Whether one card is a guard that can protect the other."""
    may = GUARDS.get(str(one.card.kind))
    return may is not None and may(str(other.card.kind))
