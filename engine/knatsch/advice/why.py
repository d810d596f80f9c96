"""Explains advice in Knatsch: what the second best loses, and a sentence for every other target."""

from __future__ import annotations

from collections.abc import Iterator

from engine.advice.remark import NEXT_STEP, Remark, percent
from engine.dice import faces
from engine.knatsch.advice.advise import Advice
from engine.knatsch.advice.targets import TargetAdvice, targets, ways_to_go_on
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.advice.words import instead
from engine.knatsch.events import Event, Held, Keep, Stop, Target, Top
from engine.knatsch.state import State
from engine.knatsch.targets import capture_refusal

LEFT = "{card} on the left stack: {chance}; win chance {after} with it, {before} without."
RIGHT = "{card} on the right stack: {chance}; win chance {after} with it, {before} without."
HERS = "{owner}’s {card}: {chance}; win chance {after} with it, {before} without."
THE_KING = "The King: {chance} to beat him and win the game; otherwise win chance {before}."
NOT_KNOWN = "{card}: its combination is not known yet."
TEMPLATES = (LEFT, RIGHT, HERS, THE_KING, NOT_KNOWN)
_MIN_REPORTED_LOSS = 0.0005  # a twentieth of a percentage point


def reasons(state: State, advice: Advice, value_function: KnatschValueFunction) -> Iterator[Remark]:
    """The second best choice, and how much win probability (during an attempt: probability of success) it loses."""
    offers: list[tuple[Event, float]] = []
    if isinstance(advice.event, Target):
        offers = [(Target(one.place), one.value) for one in targets(state, value_function) if one.chance is not None]
    elif isinstance(advice.event, Keep | Stop):
        offers = [(Keep(faces(way.keep)) if way.thrown else Stop(), way.chance) for way in ways_to_go_on(state)]
    if len(offers) > 1 and offers[0][1] - offers[1][1] >= _MIN_REPORTED_LOSS:
        yield Remark(NEXT_STEP, {"chance": percent(offers[0][1] - offers[1][1])})
        yield instead(state, offers[1][0])


def why_not(state: State, advice: Advice, value_function: KnatschValueFunction) -> tuple[Remark, ...]:
    """A sentence for everything else that could be attempted, the best first; then why the rest is impossible, each
    reason once."""
    if not state.choosing:
        return ()
    found = [_answer(state, one, advice) for one in targets(state, value_function) if Target(one.place) != advice.event]
    others = [place for place in state.places() if not (isinstance(place, Held) and place.seat == state.turn)]
    refused = [capture_refusal(state, place) for place in others]
    refusals = [
        Remark(one.template, {name: str(value) for name, value in one.values.items()}) for one in refused if one
    ]
    return (*found, *{str(one): one for one in refusals}.values())


def _answer(state: State, one: TargetAdvice, advice: Advice) -> Remark:
    card = state.card_at(one.place)
    if one.chance is None:
        return Remark(NOT_KNOWN, {"card": card.id if card else "king"})
    values = {"chance": percent(one.chance), "before": percent(max(0.0, advice.win_chance - one.risk))}
    if card is None:
        return Remark(THE_KING, values)
    values |= {"card": card.id, "after": percent(min(1.0, advice.win_chance + one.gain))}
    match one.place:
        case Top(side):
            return Remark(LEFT if side == "left" else RIGHT, values)
        case Held(owner):
            return Remark(HERS, values | {"owner": owner})
    raise AssertionError(one.place)
