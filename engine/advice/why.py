"""Why this card and not another: what each would come to, and which card of the next turn a purchase brings nearer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.advice.advise import Advice
from engine.advice.goals import GOALS
from engine.advice.odds import odds
from engine.advice.position import Position
from engine.advice.prices import bought
from engine.advice.tables import QUICK_CELLS
from engine.advice.words import NEXT_CARD, NEXT_STEP, OTHER_CARD, PAID_CARD, PREPARES, Remark, percent, step
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


def why_not(advice: Advice, chances: Mapping[str, float]) -> tuple[Remark, ...]:
    """A sentence for every card that is not advised: with the result, the win chance it would leave; before, the chance
    (`chances`, of this turn) to get it if one went for it and what one would win with it."""
    if advice.purchases:
        paid = [one for one in advice.purchases[1:] if one.card is not None]
        return tuple(Remark(PAID_CARD, {"card": str(one.card), "after": percent(one.win_chance)}) for one in paid)
    ranked = sorted(advice.after, key=lambda card: -advice.after[card])
    return tuple(
        Remark(OTHER_CARD, {"card": card, "chance": percent(chances[card]), "after": percent(advice.after[card])})
        for card in ranked
        if chances.get(card, 0) > 0
    )
