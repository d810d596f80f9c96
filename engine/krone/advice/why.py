"""Explains advice: what each alternative would lead to, and which card of the next turn a purchase helps to get."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.advice.remark import NEXT_STEP, Remark, percent
from engine.krone.advice.advise import Advice
from engine.krone.advice.goals import GOALS
from engine.krone.advice.odds import odds
from engine.krone.advice.prices import bought
from engine.krone.advice.tables import QUICK_CELLS
from engine.krone.advice.turn_position import Position
from engine.krone.advice.words import AIM, CLAIM, NEXT_CARD, OTHER_CARD, OUT_OF_REACH, PAID_CARD, PREPARES, step
from engine.krone.cards import CARDS
from engine.krone.state import State, for_sale

_MIN_REPORTED_LOSS = 0.0005  # a twentieth of a percentage point
_NEARER = 0.03  # minimum gain in probability that is reported for a card of the next turn


@dataclass(frozen=True, slots=True)
class PreparedCard:
    """The card whose probability in the next turn rises most by a purchase, weighted by its row."""

    card: str
    before: float
    after: float


def prepared(state: State, card: str, expired: Callable[[], bool] | None = None) -> PreparedCard | None:
    """The card of the next turn that this purchase helps most to get, if no one else buys anything.

    Raises:
        Expired: The deadline came first.
    """
    own = state.tableau(state.seat)
    wanted = [goal for goal in GOALS if for_sale(state, goal) and goal != card]
    without, with_it = (
        odds(Position.begin(cards, state.rules), wanted, expired=expired, most_cells=QUICK_CELLS)
        for cards in (own, bought(own, card))
    )
    gains = {goal: with_it[goal].p - without[goal].p for goal in wanted}
    best = max(gains, key=lambda goal: gains[goal] * CARDS[goal].row, default=None)
    if best is None or gains[best] < _NEARER:
        return None
    return PreparedCard(best, without[best].p, with_it[best].p)


def reasons(advice: Advice, ahead: PreparedCard | None = None) -> Iterator[Remark]:
    """Sentences about the loss of the second best choice, and about the card that the advised purchase prepares."""
    if ahead is not None:
        values = {"card": ahead.card, "before": percent(ahead.before), "after": percent(ahead.after)}
        yield Remark(PREPARES, values)
    if advice.purchases:
        other = next((one for one in advice.purchases[1:] if one.card is not None), None)
        if other is not None and other.card is not None and advice.purchases[0].card is not None:
            lost = advice.purchases[0].win_chance - other.win_chance
            if lost >= _MIN_REPORTED_LOSS:
                yield Remark(NEXT_CARD, {"card": other.card, "chance": percent(lost)})
    elif len(advice.choices) > 1:
        lost = float(advice.choices[0].value) - float(advice.choices[1].value)
        if lost >= _MIN_REPORTED_LOSS:
            yield Remark(NEXT_STEP, {"chance": percent(lost)})
            yield step(advice.choices[1].action)


def aim(advice: Advice, chances: Mapping[str, float]) -> Remark | None:
    """The card that the advised step aims at: the one that contributes most win probability above the least of all
    cards.

    Args:
        chances: Probability of getting each card this turn after that step.
    """
    if advice.purchases or not advice.after:
        return None
    least = min(advice.after.values())
    promised = {card: chances[card] * (after - least) for card, after in advice.after.items() if chances.get(card)}
    best = max(promised, key=lambda card: promised[card], default=None)
    if best is None:
        return None
    return Remark(AIM, {"card": best, "chance": percent(chances[best]), "after": percent(advice.after[best])})


def why_not(advice: Advice, chances: Mapping[str, float]) -> tuple[Remark, ...]:
    """A sentence for every card for sale that is not advised.

    With the result known, it gives the win probability after buying it. Before that, it gives the probability of
    getting it (from `chances`) and the win probability with it. Cards that any dice buy are certain; for the King the
    smallest claim counts.
    """
    best = advice.purchases[0].card if advice.purchases else None
    if advice.purchases:
        after = {one.card: one.win_chance for one in advice.purchases if one.card is not None}
        answers = [_answer(PAID_CARD, card, after[card]) for card in after if card != best]
    else:
        after = {card: value for card, value in advice.after.items() if chances.get(card, card not in GOALS)}
        answers = [_before(card, after[card], chances) for card in sorted(after, key=lambda card: -after[card])]
    lost = sorted({*advice.after, *chances} - set(after), key=list(CARDS).index)
    return (*answers, *([Remark(OUT_OF_REACH, {"cards": ", ".join(lost)})] if lost else []))


def _before(card: str, after: float, chances: Mapping[str, float]) -> Remark:
    """The sentence for a card while dice are still to be rolled."""
    if card not in GOALS:
        return _answer(PAID_CARD, card, after)
    return _answer(CLAIM if card == "king" else OTHER_CARD, card, after, chance=percent(chances[card]))


def _answer(template: str, card: str, after: float, **more: str) -> Remark:
    return Remark(template, {"card": card, "after": percent(after), **more})
