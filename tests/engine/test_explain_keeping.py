"""`explain` of the games in which dice are kept and the others rolled: the inverse of `play`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Faces
from engine.games import Game, game
from engine.knatsch import events as knatsch
from engine.yatzy import events as yatzy
from engine.yatzy.boxes import RULESETS
from engine.yatzy.state import new_game
from tests.engine.knatsch_table import RED, after, knatsch_state

EVENTS = {"yatzy": yatzy, "knatsch": knatsch}


def begun(game_id: str) -> Any:
    """A turn before its first roll."""
    if game_id == "yatzy":
        return new_game(2, RULESETS["scandinavian"])
    return after(knatsch_state(RED, "castle-blue=4-4-4+2", left="castle-green=5-5-5+4"), "A target left")


def moves(rules: Game, state: Any) -> list[Any]:
    """The rolls and kept dice that are legal for the seat on turn."""
    events = EVENTS[rules.ID]
    return [event for seat, event in rules.legal(state) if isinstance(event, events.Roll | events.Keep)]


def every_course(rules: Game, state: Any, rolls_left: int = 1) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every course with at most one roll in which dice are kept once before it and once after it."""
    yield (), state
    for event in moves(rules, state):
        rolled = bool(rules.rolled(event))
        if rolled and not rolls_left:
            continue
        then = rules.play(state, state.seat, event)
        if rules.on_table(then) != ((), ()):
            yield from (((event, *more), end) for more, end in every_course(rules, then, rolls_left - rolled))


@given(st.sampled_from(tuple(EVENTS)), st.integers(0, 10**9), st.integers(1, 4))
def test_kept_and_rolled_dice_are_explained(game_id: str, seed: int, length: int) -> None:
    random, rules, state = Random(seed), game(game_id), begun(game_id)
    for _ in range(random.randint(0, 3)):
        state = rules.play(state, state.seat, random.choice(moves(rules, state)))
        if rules.on_table(state) == ((), ()):
            return  # the last roll of an attempt
    now, played = state, []
    for _ in range(length):
        choices = [one for one in moves(rules, now) if not (rules.rolled(one) and any(map(rules.rolled, played)))]
        if not choices:
            break
        played.append(random.choice(choices))
        now = rules.play(now, state.seat, played[-1])
        if rules.on_table(now) == ((), ()):
            return
    if played and rules.on_table(now)[1] == () and not rules.rolled(played[-1]):
        played.pop()  # keeping none shows only in the next roll
    active, kept = rules.on_table(now)
    found = rules.explain(state, active, kept)
    assert tuple(played) in [course.events for course in found]
    for course in found:
        end = state
        for event in course.events:
            end = rules.play(end, state.seat, event)
        assert end == course.state
        assert rules.on_table(end) in ((active, kept), ((), ()))


def test_every_course_that_trying_everything_finds_is_returned() -> None:
    for rules, state in ((game("yatzy"), begun("yatzy")), (game("knatsch"), begun("knatsch"))):
        for dice in ((1, 1, 1, 3, 5), (2, 2, 3, 3, 6, 6)):
            if len(dice) != state.to_roll:
                continue
            events = EVENTS[rules.ID]
            rolled = rules.play(state, state.seat, events.Roll(dice))
            chosen = rules.play(rolled, state.seat, events.Keep(dice[:3]))
            by_table: dict[tuple[Faces, Faces], set[tuple[Any, ...]]] = {}
            for course, end in every_course(rules, chosen):
                if not (course and isinstance(course[-1], events.Keep) and not course[-1].dice):
                    by_table.setdefault(rules.on_table(end), set()).add(course)
            for table, courses in by_table.items():
                assert {one.events for one in rules.explain(chosen, *table)} == courses
