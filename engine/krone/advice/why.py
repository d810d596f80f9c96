"""Why this card and not another: what each would come to, and which card of the next turn a purchase brings nearer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.advice.remark import NEXT_STEP, Remark, percent
from engine.krone.advice.advise import Advice
from engine.krone.advice.goals import GOALS
from engine.krone.advice.odds import odds
from engine.krone.advice.position import Position
from engine.krone.advice.prices import bought
from engine.krone.advice.tables import QUICK_CELLS
from engine.krone.advice.words import AIM, CLAIM, NEXT_CARD, OTHER_CARD, OUT_OF_REACH, PAID_CARD, PREPARES, step
from engine.krone.cards import CARDS
from engine.krone.state import State, for_sale

_WORTH_SAYING = 0.0005  # a twentieth of a percentage point
_NEARER = 0.03  # a card of the next turn is brought nearer from this gain on


@dataclass(frozen=True, slots=True)
class Prepared:
    """The card whose chance in the next turn rises most by a purchase, the highest row counting most."""

    card: str
    before: float
    after: float


def prepared(state: State, card: str, expired: Callable[[], bool] | None = None) -> Prepared | None:
    """What taking this card prepares, if nobody else takes anything. Raises Expired."""
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
    return Prepared(best, without[best].p, with_it[best].p)


def reasons(advice: Advice, ahead: Prepared | None = None) -> Iterator[Remark]:
    """What the second best would lose, and what the advised card prepares."""
    if ahead is not None:
        values = {"card": ahead.card, "before": percent(ahead.before), "after": percent(ahead.after)}
        yield Remark(PREPARES, values)
    if advice.purchases:
        other = next((one for one in advice.purchases[1:] if one.card is not None), None)
        if other is not None and other.card is not None and advice.purchases[0].card is not None:
            lost = advice.purchases[0].win_chance - other.win_chance
            if lost >= _WORTH_SAYING:
                yield Remark(NEXT_CARD, {"card": other.card, "chance": percent(lost)})
    elif len(advice.choices) > 1:
        lost = float(advice.choices[0].value) - float(advice.choices[1].value)
        if lost >= _WORTH_SAYING:
            yield Remark(NEXT_STEP, {"chance": percent(lost)})
            yield step(advice.choices[1].action)


def aim(advice: Advice, chances: Mapping[str, float]) -> Remark | None:
    """The card for which the advised step is made: the one that promises most win chance over the least of all cards.
    chances: to get each card this turn after that step."""
    if advice.purchases or not advice.after:
        return None
    least = min(advice.after.values())
    promised = {card: chances[card] * (after - least) for card, after in advice.after.items() if chances.get(card)}
    best = max(promised, key=lambda card: promised[card], default=None)
    if best is None:
        return None
    return Remark(AIM, {"card": best, "chance": percent(chances[best]), "after": percent(advice.after[best])})


def why_not(advice: Advice, chances: Mapping[str, float]) -> tuple[Remark, ...]:
    """An answer for every card for sale that is not advised: with the result, the win chance it would leave; before,
    the chance (`chances`, of this turn) to get it if one went for it and what one would win with it. Cards that any
    dice buy are got for certain; with the King the least that can claim him counts."""
    best = advice.purchases[0].card if advice.purchases else None
    if advice.purchases:
        after = {one.card: one.win_chance for one in advice.purchases if one.card is not None}
        answers = [_answer(PAID_CARD, card, after[card]) for card in after if card != best]
    else:
        after = {card: worth for card, worth in advice.after.items() if chances.get(card, card not in GOALS)}
        answers = [_before(card, after[card], chances) for card in sorted(after, key=lambda card: -after[card])]
    lost = sorted({*advice.after, *chances} - set(after), key=list(CARDS).index)
    return (*answers, *([Remark(OUT_OF_REACH, {"cards": ", ".join(lost)})] if lost else []))


def _before(card: str, after: float, chances: Mapping[str, float]) -> Remark:
    """The answer for a card while dice are still to be thrown."""
    if card not in GOALS:
        return _answer(PAID_CARD, card, after)
    return _answer(CLAIM if card == "king" else OTHER_CARD, card, after, chance=percent(chances[card]))


def _answer(template: str, card: str, after: float, **more: str) -> Remark:
    return Remark(template, {"card": card, "after": percent(after), **more})
