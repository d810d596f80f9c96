"""The advice in sentences: English templates, which are also the translation ids, and their values.

The value named `card` is a card's id, `cards` several ids, `does` a template that says what a card does
(`engine.krone.cards`); all others are finished text.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.advice.remark import NEXT_STEP, ROLL, Remark, percent
from engine.dice import dice_text
from engine.krone.advice.actions import Action
from engine.krone.advice.advise import Advice, RatedPurchase
from engine.krone.cards import CARDS

KEEP = "Set aside {dice}."
STOP = "All dice are set aside. End your turn."
USE = "Use the {card}."
USE_ADDING = "Use the {card}: add a {shown}."
USE_TURNING = "Use the {card}: change {dice} to {shown}."
USE_REROLLING = "Use the {card}: reroll {dice}."
TO_BEAT = "{chance} to beat the target."
TO_WIN = "Win chance {chance}."
BUY = "Take the {card}: win chance {before} → {after}."
BUY_NOTHING = "Take no card: win chance {before} → {after}."
DOES = "{card}: {does}."
NEXT_CARD = "Taking the {card} instead: win chance {chance} lower."
PREPARES = "It raises your chance to get the {card} next turn from {before} to {after}."
OTHER_CARD = "{card}: {chance} if you aim for it; win chance with it {after}."
CLAIM = "{card}: {chance} if you aim for it; win chance with it at least {after}."
PAID_CARD = "{card}: win chance with it {after}."
OUT_OF_REACH = "Out of reach this turn: {cards}."
AIM = "It aims for the {card}: {chance} to get it, and a win chance of {after} with it."
AT_LEAST = "There are too many cards to check them all. The chances are at least those shown."
TEMPLATES = (
    KEEP, ROLL, STOP, USE, USE_ADDING, USE_TURNING, USE_REROLLING, TO_BEAT, TO_WIN, BUY, BUY_NOTHING, DOES,
    NEXT_CARD, NEXT_STEP, PREPARES, OTHER_CARD, CLAIM, PAID_CARD, OUT_OF_REACH, AIM, AT_LEAST,
)  # fmt: skip


def remarks(advice: Advice) -> tuple[Remark, ...]:
    """Sentences to show now: the next step and its consequence, or a purchase and its reason."""
    return tuple(_purchase(advice) if advice.purchases else _step(advice))


def step(action: Action) -> Remark:
    """An action in a sentence."""
    match action:
        case Action("keep", _, dice):
            return Remark(KEEP, {"dice": dice_text(dice)})
        case Action("roll"):
            return Remark(ROLL)
        case Action("use", str(card), dice, to):
            values = {"card": card, "dice": dice_text(dice), "shown": dice_text(to)}
            if not dice:
                return Remark(USE_ADDING, values) if card == "queen" and to else Remark(USE, {"card": card})
            return Remark(USE_TURNING if to else USE_REROLLING, values)
    return Remark(STOP)


def _step(advice: Advice) -> Iterator[Remark]:
    if not advice.choices:
        return
    yield step(advice.choices[0].action)
    chance = percent(float(advice.choices[0].value))
    if advice.chance is not None:
        yield Remark(TO_BEAT, {"chance": percent(advice.chance.p)})
    yield Remark(TO_WIN, {"chance": chance})


def _purchase(advice: Advice) -> Iterator[Remark]:
    best: RatedPurchase = advice.purchases[0]
    passing = next(purchase.win_chance for purchase in advice.purchases if purchase.card is None)
    values = {"before": percent(passing), "after": percent(best.win_chance)}
    if best.card is None:
        yield Remark(BUY_NOTHING, values | {"before": percent(advice.win_chance)})
        return
    yield Remark(BUY, values | {"card": best.card})
    yield Remark(DOES, {"card": best.card, "does": CARDS[best.card].does})
