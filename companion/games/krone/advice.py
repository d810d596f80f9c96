"""Advice on Um Krone und Kragen for the page, with the learned value function."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from companion.advice.budget import Budget, Chances, sentences
from companion.advice.packed_numbers import unpacked
from companion.advice.what_if import TurnVariation, WhatIfResult
from companion.game.changes import Sentence
from companion.resources import resource
from engine.advice.deadline import Expired
from engine.advice.remark import Remark
from engine.advice.review import Review
from engine.dice import faces
from engine.errors import Illegal
from engine.krone.advice.actions import Action
from engine.krone.advice.advise import advise
from engine.krone.advice.goals import GOALS
from engine.krone.advice.odds import BEAT, odds
from engine.krone.advice.review import review_turns
from engine.krone.advice.tables import MAX_CELLS, QUICK_CELLS
from engine.krone.advice.turn_position import Position, checked
from engine.krone.advice.value_function import ValueFunction
from engine.krone.advice.why import aim, prepared, reasons, why_not
from engine.krone.advice.winning import replace_own_chance, threshold_for, win_chances
from engine.krone.advice.words import AT_LEAST, BUY, BUY_NOTHING, remarks, step
from engine.krone.events import Keep
from engine.krone.rules import play
from engine.krone.state import State, for_sale, in_display_order
from engine.replay import Replay


@cache
def value_function() -> ValueFunction:
    """The value function, loaded once."""
    weights = json.loads(resource("models", "worth.json").read_text(encoding="utf-8"))["weights"]
    return ValueFunction.from_weights({name: unpacked(packed) for name, packed in weights.items()})


def think(state: State, budget: Budget) -> Iterator[Chances]:
    """Yields the advice on a state as it is computed: the odds, then the next step. Stops when the state changes."""
    if state.finished:
        yield Chances()
        return
    known: Chances | None = None
    try:
        for known in _advice_steps(state, budget, MAX_CELLS):
            yield known
    except Expired:
        if not budget.is_current():
            return
        budget.restart()  # the turn has too many cards for all combinations: use those that matter most
        with suppress(Expired):
            for hurried in _advice_steps(state, budget, QUICK_CELLS):
                yield replace(hurried, cards=known.cards, beat=known.beat) if known else hurried
    except Illegal:
        return  # a die has not been read yet


def _advice_steps(state: State, budget: Budget, most_cells: float) -> Iterator[Chances]:
    expired = budget.expired
    threshold = threshold_for(state, state.seat) if state.final else None
    goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
    position = Position.of(state)
    found = odds(position, goals, threshold, expired=expired, mapped=budget.parallel_map, most_cells=most_cells)
    beat = found.pop(BEAT, None)
    at_least = [Remark(AT_LEAST)] if any(chance.method != "exact" for chance in found.values()) else []
    first = Chances({goal: chance.p for goal, chance in found.items()}, beat=None if beat is None else beat.p)
    yield first
    advice = advise(state, value_function(), expired=expired, most_cells=most_cells)
    chances = replace_own_chance(
        win_chances(state, value_function(), expired), state.seats.index(state.seat), advice.turn_value
    )
    best = advice.best
    bought = advice.purchases[0].card if advice.purchases else None
    ahead = prepared(state, bought, expired) if bought not in (None, "king") else None
    aimed = aim(advice, _chances_after(state, best, first.cards, goals, expired))
    yield replace(
        first,
        wins=dict(zip(state.seats, chances, strict=True)),
        set_aside=best.dice if best is not None and best.do == "keep" else (),
        advice=sentences((*remarks(advice), *([aimed] if aimed else []), *reasons(advice, ahead), *at_least)),
        why_not=sentences(why_not(advice, first.cards)),
    )


def _chances_after(
    state: State, best: Action | None, now: Mapping[str, float], goals: Sequence[str], expired: Callable[[], bool]
) -> Mapping[str, float]:
    """The odds of each card after the advised dice are set aside; those of `now` for any other advice."""
    if best is None or best.do != "keep":
        return now
    position = Position.of(play(state, state.seat, Keep(tuple(sorted(best.dice)))))
    try:
        found = odds(position, goals, expired=expired, most_cells=QUICK_CELLS)
    except Expired:
        return {}  # the advice is shown without its reason
    return {goal: chance.p for goal, chance in found.items()}


def chances_to_win(state: State, expired: Callable[[], bool]) -> tuple[float, ...]:
    """The win probability of each seat.

    Raises:
        Expired: Odds in the final round took too long.
    """
    return win_chances(state, value_function(), expired)


def followed(before: State, chances: Chances, now: State) -> bool | None:
    """Whether the player followed the advice for `before`; None if unknown."""
    first_remark = chances.advice[0]
    if first_remark.template in (BUY, BUY_NOTHING):
        bought = [card for card in now.tableau(before.seat) if card not in before.tableau(before.seat)]
        return bought == [first_remark.values[name] for name in ("card",) if name in first_remark.values]
    kept = sorted((*before.turn.kept, *chances.set_aside))
    if not chances.set_aside or now.seat != before.seat or len(now.turn.kept) <= len(before.turn.kept):
        return None
    return sorted(now.turn.kept) == kept


def review_parts(first: State, moves: Sequence[Any]) -> Iterator[Review[Any, Any]]:
    """As `GameReview.parts`."""
    yield from review_turns(first, moves, value_function())


def in_words(replay: Replay, number: int, choice: Action | str | None) -> tuple[Sentence | None, str | None]:
    """A choice as a step, or the card it is."""
    if isinstance(choice, Action):
        remark = step(choice)
        return Sentence(remark.template, remark.values), None
    return None, choice


def unchanged(state: State) -> TurnVariation | None:
    """As `WhatIf.unchanged`: the dice and cards of the turn."""
    if state.finished:
        return None
    turn = state.turn
    return TurnVariation(tuple(reversed(turn.active)), tuple(reversed(turn.kept)), state.tableau(state.seat))


def changed(state: State, variation: TurnVariation) -> State:
    """As `WhatIf.changed`."""
    active, kept, turn = faces(variation.active), faces(variation.kept), state.turn
    cards = in_display_order(list(variation.cards))
    used = tuple(card for card in turn.used if card in cards)
    checked(cards, state.rules, used, active, kept)
    place = state.seats.index(state.seat)
    tableaux = (*state.tableaux[:place], cards, *state.tableaux[place + 1 :])
    if active or kept:
        met = bool(kept) and not turn.duty and turn.rolled
        turn = replace(
            turn, hand=0, active=active, kept=kept, used=frozenset(used), rolled=True, duty=bool(active) and not met
        )
    else:
        begin = Position.begin(cards, state.rules)
        turn = replace(turn, hand=begin.hand, active=(), kept=(), used=frozenset(used), rolled=False, duty=False)
    return replace(state, tableaux=tableaux, turn=turn)


def evaluate(state: State, expired: Callable[[], bool]) -> WhatIfResult:
    """As `WhatIf.evaluate`: the odds of each card for sale, and the advice."""
    goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
    found = odds(Position.of(state), goals, None, expired=expired, most_cells=QUICK_CELLS) if goals else {}
    advice = advise(state, value_function(), expired=expired, most_cells=QUICK_CELLS)
    ranked = sorted(((card, chance.p) for card, chance in found.items()), key=lambda one: -one[1])
    return WhatIfResult(tuple(ranked), advice=sentences(remarks(advice)))
