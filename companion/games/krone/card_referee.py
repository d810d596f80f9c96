"""Derives game events from the cards on the table: purchases, cards used, and differences from the record.

A card in a player's tableau that the record does not have there has arrived. Each arrival has the log-odds of its kind,
and the rules leave only purchases that the dice allow. If the evidence is clear and one purchase is left, it is
recorded as the camera's and can be undone with one tap. If several are left, the player is asked; if none is, the
player is informed. Cards turned sideways are evidence of use, which the table's referee weighs (`used_cards`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.game.card_evidence import DICE_WAIT_SECONDS, ELSEWHERE, Arrival, CardMessages, CardQuestion, arrivals
from companion.game.changes import Change, NotSaved, Sentence
from companion.game.table import Table
from companion.game.used_cards import CLEAR_LOG_ODDS, HOLD_SECONDS, TurnStart, UsedCards, tableaux_of
from engine.errors import CourtsideError
from engine.krone.costs import COSTS
from vision.cards.watching import CardsSeen

OFFER_LOG_ODDS = 0.0  # minimum log-odds for offering a kind; from CLEAR it is recorded without a question
DICE_WAIT_AT_REST_SECONDS = 1.2  # shorter wait if a roll of this turn is on record and nothing moves
MAX_OFFERED = 4

NOT_PAID = (
    "{seat} took the {card}, which costs {cost}. The recorded dice are not enough. Put the card back or fix the dice."
)
NOT_ALLOWED = "{seat} took the {card}, which cannot be bought now. Is something missing from the record?"
WHICH_ARRIVED = "{seat} has cards that are not on record. Which one was bought?"
WAS_IT = "Did {seat} take the {card}? I am not sure."
WHICH_USE = "{seat} turned the {card}. How was it used?"
WAS_USED = "I no longer see {seat}’s {card}. Was it used?"
TAKEN_BACK = "The {card} is no longer in front of {seat}. Was it put back?"
SENTENCES = (NOT_PAID, NOT_ALLOWED, WHICH_ARRIVED, WAS_IT, WHICH_USE, WAS_USED, TAKEN_BACK)


class CardReferee:
    """Records what the cards of one table show. `judge` may be called from one thread at a time."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._entered: dict[tuple[str, str], Change] = {}
        self._fixes: tuple[object, tuple[tuple[int, str], ...]] = (None, ())
        self._clock = TurnStart(table)
        self._used_cards = UsedCards(table, self._clock)

    def judge(self, seen: CardsSeen, seconds: float) -> CardMessages:
        """Records certain events; returns the questions and sentences to show.

        Args:
            seconds: Time of the newest frame.
        """
        self._clock.update(seconds)
        self._used_cards.report(seen, seconds)
        tableaux = tableaux_of(self._table)
        found = [one for one in arrivals(seen, tableaux) if not self._comes_with_the_king(one, seen, tableaux)]
        questions: list[CardQuestion] = []
        notices: list[CardQuestion] = []
        for seat in tableaux:
            here = [one for one in found if one.seat == seat and seconds - one.since >= HOLD_SECONDS]
            if not here or seat in seen.unread:
                continue
            refused = {one: self._table.refusal(f"{seat} buy {one.kind}") for one in here}
            likely = [one for one in here if refused[one] is None and one.log_odds > OFFER_LOG_ODDS]
            if len(likely) == 1 and likely[0].log_odds >= CLEAR_LOG_ODDS:
                self._enter(likely[0])
            elif likely:
                events = tuple(f"{seat} buy {one.kind}" for one in sorted(likely, key=lambda one: -one.log_odds))
                template = WHICH_ARRIVED if len(likely) > 1 else WAS_IT
                values = {"seat": seat} if len(likely) > 1 else {"seat": seat, "card": likely[0].kind}
                questions.append(CardQuestion(Sentence(template, values), events[:MAX_OFFERED], place=likely[0].place))
            else:
                patience = DICE_WAIT_AT_REST_SECONDS if self._dice_are_known(seat) else DICE_WAIT_SECONDS
                late = [one for one in here if seconds - one.since >= patience and one.log_odds >= CLEAR_LOG_ODDS]
                notices += [self._notice_for(one, seen, tableaux) for one in late]
        questions += self._taken_back(seen, seconds, tableaux)
        self._clock.update(seconds)  # a purchase ends a turn, and cards turned before it were used before it
        questions += self._used(seen, seconds)
        return CardMessages(tuple(questions), tuple(notices))

    def _comes_with_the_king(self, one: Arrival, seen: CardsSeen, tableaux: Mapping[str, Counter[str]]) -> bool:
        """Whether the card is the Queen, who comes with the King and is not a purchase."""
        king = "king" in seen.kinds(one.seat) or any(cards["king"] for cards in tableaux.values())
        return one.kind == "queen" and king

    def _enter(self, one: Arrival) -> None:
        sure = 1 / (1 + math.exp(-one.log_odds))
        with suppress(CourtsideError, NotSaved):  # the table reports it; the next pass tries again
            self._entered[one.seat, one.kind] = self._table.enter(f"{one.seat} buy {one.kind}", "camera", sure=sure)

    def _dice_are_known(self, seat: str) -> bool:
        """Whether this seat is on turn, has rolled, and all its dice are read."""
        state, reading = self._table.preview_state, self._table.reading
        turn = getattr(state, "turn", None)
        return state.seat == seat and getattr(turn, "rolled", False) and (reading is None or reading.settled)

    def _notice_for(self, one: Arrival, seen: CardsSeen, tableaux: Mapping[str, Counter[str]]) -> CardQuestion:
        """A notice that says why a card that was taken is not recorded."""
        for owner, cards in tableaux.items():
            if owner != one.seat and cards[one.kind] > seen.kinds(owner).count(one.kind):
                display = self._table.record.game.display(self._table.state).get(one.kind)
                if display == 0:
                    sentence = Sentence(ELSEWHERE, {"card": one.kind, "seat": one.seat, "owner": owner})
                    return CardQuestion(sentence, place=one.place)
        if one.kind in COSTS and self._table.state.seat == one.seat:
            sentence = Sentence(NOT_PAID, {"card": one.kind, "seat": one.seat, "cost": COSTS[one.kind][1]})
            return CardQuestion(sentence, place=one.place, fixes=self._fixes_for(f"{one.seat} buy {one.kind}"))
        sentence = Sentence(NOT_ALLOWED, {"card": one.kind, "seat": one.seat})
        return CardQuestion(sentence, place=one.place)

    def _fixes_for(self, event: str) -> tuple[tuple[int, str], ...]:
        """The corrections of one die that pay for the card, found once for each state of the record."""
        key = event, self._table.lines
        if self._fixes[0] != key:
            self._fixes = key, self._table.misread_for(event)
        return self._fixes[1]

    def _taken_back(
        self, seen: CardsSeen, seconds: float, tableaux: Mapping[str, Counter[str]]
    ) -> Iterator[CardQuestion]:
        """Questions about recorded purchases whose card is gone again, as long as they can be undone."""
        for (seat, kind), change in list(self._entered.items()):
            if self._table.to_undo is not change:
                del self._entered[seat, kind]
            elif seat not in seen.unread and seen.kinds(seat).count(kind) < tableaux[seat][kind]:
                gone = [when for zone, other, when in seen.gone if (zone, other) == (seat, kind)]
                if gone and seconds - max(gone) > 2 * HOLD_SECONDS:
                    yield CardQuestion(Sentence(TAKEN_BACK, {"card": kind, "seat": seat}), undo=True)

    def _used(self, seen: CardsSeen, seconds: float) -> Iterator[CardQuestion]:
        """Handles cards that the player on turn has turned sideways in this turn.

        If dice are watched, they soon show what was done, and the player is asked about the rest. Otherwise a card with
        a single possible use is recorded. A card still sideways from the turn before was not turned back. A card that
        disappears without being taken may have been turned under another one, so the player is asked.
        """
        state: Any = self._table.preview_state
        if state.finished or state.seat in seen.unread:
            return
        watched = self._table.reading is not None
        patience = DICE_WAIT_SECONDS if watched else HOLD_SECONDS
        turned = [one for one in seen.cards if one.zone == state.seat and one.turned is not None and one.card.kind]
        for one in turned:
            if not self._clock.began < (one.turned or 0.0) <= seconds - HOLD_SECONDS:
                continue
            uses = self._uses(state, str(one.card.kind))
            if uses == [f"{state.seat} use {one.card.kind}"] and one.log_odds >= CLEAR_LOG_ODDS and not watched:
                with suppress(CourtsideError, NotSaved):
                    self._table.enter(uses[0], "camera", sure=one.card.confidence)
                    return  # the others are judged by the state after it
            elif 0 < len(uses) <= MAX_OFFERED and (one.turned or 0.0) <= seconds - patience:
                sentence = Sentence(WHICH_USE, {"card": str(one.card.kind), "seat": state.seat})
                yield CardQuestion(sentence, tuple(uses), place=one.card.quad)
        for zone, kind, when in seen.gone:
            hidden = zone == state.seat and kind not in seen.kinds(zone)
            if hidden and self._clock.began < when <= seconds - patience:
                uses = self._uses(state, kind)
                if uses == [f"{zone} use {kind}"]:
                    yield CardQuestion(Sentence(WAS_USED, {"card": kind, "seat": zone}), tuple(uses))

    def _uses(self, state: Any, card: str) -> list[str]:
        """The texts of all ways to use a card now; none if they are too many to list."""
        game = self._table.record.game
        found = []
        for move in game.legal(state):
            if not isinstance(move, tuple):
                continue
            seat, event = move
            text = game.event_text(event)
            if seat == state.seat and (text == f"use {card}" or text.startswith(f"use {card} ")):
                found.append(f"{seat} {text}")
        return found
