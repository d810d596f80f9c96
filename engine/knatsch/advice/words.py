"""The advice of Knatsch in sentences: English templates, which are also the translation ids, and their values.

The value named `card` is a card's id, `owner` a seat's letter; all others are finished text.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.advice.remark import ROLL, Remark, percent
from engine.dice import dice_text
from engine.knatsch.advice.advise import Advice
from engine.knatsch.events import Event, Guard, Held, Keep, Lose, Pass, Side, Stop, Target, TheKing, Top, Under
from engine.knatsch.state import State

GO_LEFT = "Go for the {card} on the left stack: {chance}."
GO_RIGHT = "Go for the {card} on the right stack: {chance}."
GO_FOR_HERS = "Go for {owner}’s {card}: {chance}."
CHALLENGE = "Challenge the King: {chance}."
GAIN = "Success raises your win chance from {before} to {after}."
UNDER_LEFT = "First put the {card} under the left stack. The next card offers better chances."
UNDER_RIGHT = "First put the {card} under the right stack. The next card offers better chances."
STAY = "Keep {dice} and reroll the rest: {chance}."
THROW_ALL = "Reroll everything except sixes: {chance}."
STOP = "Stop here: {chance}."
DEFEND = "Defend it. It costs nothing: {chance}."
GIVE_UP = "This roll cannot be beaten. Pass."
TRY = "Roll. {chance} to succeed."
PASS = "No target is worth an attempt. Pass."
GUARD = "Put your guard on the {card}."
LOSE = "Give up the {card}. It is the easiest to win back."
# For post-game reviews: the better choice.
RATHER_LEFT = "Go for the {card} on the left stack."
RATHER_RIGHT = "Go for the {card} on the right stack."
RATHER_HERS = "Go for {owner}’s {card}."
RATHER_KING = "Challenge the King."
RATHER_KEEP = "Keep {dice} and reroll the rest."
RATHER_ALL = "Reroll everything except sixes."
RATHER_STOP = "Stop here."
RATHER_PASS = "Make no attempt."
TEMPLATES = (
    *(GO_LEFT, GO_RIGHT, GO_FOR_HERS, CHALLENGE, GAIN, UNDER_LEFT, UNDER_RIGHT, STAY, THROW_ALL, STOP, DEFEND),
    *(GIVE_UP, TRY, PASS, GUARD, LOSE),
    *(RATHER_LEFT, RATHER_RIGHT, RATHER_HERS, RATHER_KING, RATHER_KEEP, RATHER_ALL, RATHER_STOP, RATHER_PASS),
)


def instead(state: State, event: Event | None) -> Remark:
    """The better choice in this state as a sentence; None as event is a roll."""
    match event:
        case Target(Top(side)):
            return Remark(RATHER_LEFT if side == "left" else RATHER_RIGHT, {"card": _top(state, side)})
        case Target(Held(owner, card)):
            return Remark(RATHER_HERS, {"card": card, "owner": owner})
        case Target():
            return Remark(RATHER_KING)
        case Keep(dice):
            return Remark(RATHER_KEEP, {"dice": dice_text(dice)}) if dice else Remark(RATHER_ALL)
        case Stop():
            return Remark(RATHER_STOP)
        case Pass():
            return Remark(RATHER_PASS)
    return Remark(ROLL)


def remarks(state: State, advice: Advice) -> tuple[Remark, ...]:
    """Sentences to show now: the next step, its consequence, and the value of a card."""
    return tuple(_remarks(state, advice))


def _remarks(state: State, advice: Advice) -> Iterator[Remark]:
    chance = percent(advice.chance or 0.0)
    match advice.event:
        case None:
            yield _throw(state, advice, chance)
        case Target(place):
            yield _target(state, place, chance)
            if advice.success is not None and advice.success > advice.win_chance:
                yield Remark(GAIN, {"before": percent(advice.win_chance), "after": percent(advice.success)})
        case Keep(()):
            yield Remark(THROW_ALL, {"chance": chance})
        case Keep(dice):
            yield Remark(STAY, {"dice": dice_text(dice), "chance": chance})
        case Stop():
            yield Remark(STOP, {"chance": chance})
        case Guard(cards):
            yield from (Remark(GUARD, {"card": card}) for card in cards)
        case event:
            yield _plain(state, event)


def _throw(state: State, advice: Advice, chance: str) -> Remark:
    running = state.attempt
    if advice.chance is None or running is None or running.dice is not None:
        return Remark(ROLL)
    if isinstance(running.place, Held) and running.leader is not None:
        return Remark(DEFEND, {"chance": chance}) if advice.chance else Remark(GIVE_UP)
    return Remark(TRY, {"chance": chance}) if advice.chance else Remark(GIVE_UP)


def _target(state: State, place: Top | Held | TheKing, chance: str) -> Remark:
    match place:
        case Top(side):
            return Remark(GO_LEFT if side == "left" else GO_RIGHT, {"card": _top(state, side), "chance": chance})
        case Held(owner, card):
            return Remark(GO_FOR_HERS, {"card": card, "owner": owner, "chance": chance})
    return Remark(CHALLENGE, {"chance": chance})


def _plain(state: State, event: Event) -> Remark:
    match event:
        case Under(side):
            return Remark(UNDER_LEFT if side == "left" else UNDER_RIGHT, {"card": _top(state, side)})
        case Lose(card):
            return Remark(LOSE, {"card": card})
        case Pass():
            return Remark(PASS)
    raise AssertionError(event)


def _top(state: State, side: Side) -> str:
    card = state.top(side)
    assert card is not None
    return card.id
