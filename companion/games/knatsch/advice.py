"""Advice on Knatsch for the page, with the learned value function."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from companion.advice.budget import Budget, Chances, sentences
from companion.advice.what_if import TurnVariation, WhatIfResult
from companion.game.changes import Sentence
from companion.resources import resource
from engine.advice.review import Review
from engine.dice import faces
from engine.errors import Illegal
from engine.knatsch.advice import why
from engine.knatsch.advice.advise import advise
from engine.knatsch.advice.review import review_moves
from engine.knatsch.advice.targets import targets, ways_to_go_on
from engine.knatsch.advice.value_function import KnatschValueFunction
from engine.knatsch.advice.words import instead, remarks
from engine.knatsch.events import Event, Keep, Stop
from engine.knatsch.state import DICE, MAX_THROWS, State
from engine.replay import Replay


@cache
def knatsch_value_function() -> KnatschValueFunction:
    """The value function, loaded once."""
    return KnatschValueFunction(
        json.loads(resource("models", "knatsch-worth.json").read_text(encoding="utf-8"))["weights"]
    )


_MAX_OPTIONS = 6


def think(state: State, budget: Budget) -> Iterator[Chances]:
    """Yields the advice, which is quick. The odds of every target are on the board itself."""
    value_function = knatsch_value_function()
    wins = dict(zip(state.seats, value_function.of(state), strict=True))
    advice = None if state.finished else advise(state, value_function)
    if advice is None:
        yield Chances(wins=wins)
        return
    texts = (*remarks(state, advice), *why.reasons(state, advice, value_function))
    alternatives = why.why_not(state, advice, value_function)
    yield Chances(wins=wins, advice=sentences(texts), why_not=sentences(alternatives))


def chances_to_win(state: State, expired: Callable[[], bool]) -> tuple[float, ...]:
    """The win probability of each seat."""
    return knatsch_value_function().of(state)


def review_parts(first: State, moves: Sequence[Any]) -> Iterator[Review[Any, Any]]:
    """As `GameReview.parts`."""
    yield from review_moves(first, moves, knatsch_value_function())


def in_words(replay: Replay, number: int, choice: Event | None) -> tuple[Sentence | None, str | None]:
    """As `GameReview.in_words`."""
    remark = instead(replay.states[number], choice)
    values = dict(remark.values)
    if "owner" in values:  # by name, because seats may have changed by now
        values["owner"] = replay.record.name(values["owner"])
    return Sentence(remark.template, values), None


def unchanged(state: State) -> TurnVariation | None:
    """As `WhatIf.unchanged`: the dice and rolls left in an attempt."""
    attempt = state.attempt
    if state.finished or attempt is None:
        return None
    return TurnVariation(tuple(reversed(attempt.dice or ())), throws=attempt.throws)


def changed(state: State, variation: TurnVariation) -> State:
    """As `WhatIf.changed`."""
    attempt = state.attempt
    if attempt is None:
        return state
    throws = attempt.throws if variation.throws is None else variation.throws
    if not 1 <= throws <= MAX_THROWS:
        raise Illegal("choose 1 to {most} rolls", most=MAX_THROWS)
    if variation.active and len(variation.active) != DICE:
        raise Illegal("enter all six dice, including sixes")
    dice = faces(variation.active) if variation.active else None
    return replace(state, attempt=replace(attempt, dice=dice, kept=None, throws=throws))


def evaluate(state: State, expired: Callable[[], bool]) -> WhatIfResult:
    """As `WhatIf.evaluate`: the best ways to continue, or the odds of each target between attempts."""
    found = []
    for way in ways_to_go_on(state)[:_MAX_OPTIONS]:
        remark = instead(state, Keep(faces(way.keep)) if way.thrown else Stop())
        found.append((Sentence(remark.template, remark.values), way.chance))
    aims = [] if found else targets(state, knatsch_value_function())
    cards = [(card.id, one.chance) for one in aims if one.chance is not None and (card := state.card_at(one.place))]
    return WhatIfResult(tuple(cards), tuple(found))
