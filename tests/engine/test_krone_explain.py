"""`explain` is the inverse of `play`: it returns legal courses that leave the dice, and all of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.dice import UNREAD, Faces, faces, parts, without
from engine.krone.events import Event, Keep, Roll, Use, event_text
from engine.krone.explain import explain
from engine.krone.rules import can, play
from engine.krone.state import State
from tests.engine.courses import every_course, key
from tests.engine.krone_players import some_uses, thrown
from tests.engine.krone_table import at

# Positions with so few dice that everything can be tried, and the number of cards.
SMALL = {
    "one die to turn": ("A maid magician noblewoman; B -; active 4; kept 5 6", 2),
    "two dice and the cards that move pips": ("A philosopher alchemist; B -; active 5 2; kept 6", 2),
    "the Astronomer copies what is set aside in the same course": ("A astronomer; B -; active 5 1; kept 5", 1),
    "nothing set aside yet": ("A astronomer noblewoman; B -; active 3 1 1; duty", 1),
    "the first roll with an early card": ("A guard; B -", 1),
    "an added die is turned": ("A laborer maid; B -; active 4; kept 2 2", 2),
    "the Queen adds a die": ("A queen king; B -; threshold 7x2; active 4; kept 2 2", 2),
    "a turned die and a rerolled one": ("A fool maid; B -; active 4; kept 2 2", 2),
    "a card rerolls one of two": ("A merchant; B -; active 4 2; kept 2", 1),
    "both cards reroll": ("A fool merchant; B -; active 4; kept 2 2", 2),
    "raised dice and a reroll": ("A fool noblewoman; B -; active 5; kept 2 2", 2),
    "an unread die": ("A fool astronomer; B -; active ? 5; kept 5", 1),
    "a used card": ("A maid guard; B -; used maid; active 3; kept 2 2; duty", 2),
    "everything set aside": ("A guard fool; B -; active -; kept 5 5 5", 2),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_explain_returns_every_course_that_trying_everything_finds(name: str) -> None:
    position, cards = SMALL[name]
    state = at(position)
    tried = every_course(state, cards)
    assert tried
    for (active, kept), courses in tried.items():
        assert {key(course.events) for course in explain(state, active, kept, cards)} == courses, (active, kept)


CARDS = ("fool", "maid", "philosopher", "laborer", "guard", "astronomer", "merchant", "noblewoman", "magician")
CARDS += ("alchemist", "nobleman")


def position(random: Random) -> State:
    """A moment in a turn with three cards."""
    own = " ".join(random.sample(CARDS, 3))
    state = at(f"A {own}; B -")
    state = play(state, "A", Roll(thrown(random, state.to_roll)))
    while random.random() < 0.5 and state.turn.active:
        state = play(state, "A", Keep(random.choice(parts(state.turn.active)[1:])))
        if state.turn.active and random.random() < 0.7:
            state = play(state, "A", Roll(thrown(random, state.to_roll)))
    return state


@pytest.mark.parametrize("seed", range(12))
def test_known_turned_dice_select_the_courses_that_turn_them(seed: int) -> None:
    random = Random(seed)
    state = at("A maid noblewoman philosopher guard; B -; active 5 2; kept 6")
    active = faces(random.choices(range(1, 7), k=random.choice((2, 3))))
    courses = explain(state, active, (6,), 2, roll_count=0)
    for turned in {turned_by(course.events) for course in courses} | {(1,), (2, 5)}:
        some = explain(state, active, (6,), 2, roll_count=0, turned=turned)
        assert some == tuple(course for course in courses if turned_by(course.events) == turned)


def turned_by(events: tuple[Event, ...]) -> Faces:
    """The faces to which cards turned dice."""
    return tuple(sorted(face for event in events if isinstance(event, Use) and event.before for face in event.after))


def turned_before_a_throw(events: list[Event]) -> bool:
    """Whether dice that a card turned or rolled may have been rolled again unseen."""
    throws = [i for i, e in enumerate(events) if isinstance(e, Roll) or getattr(e, "card", "") in ("fool", "merchant")]
    return bool(throws) and any(isinstance(event, Use) for event in events[: throws[-1]])


def unread_where_rolled_again(events: list[Event]) -> tuple[Event, ...]:
    """The events as `explain` returns them: a die that a card rolls again after the roll is unread in between."""
    found = list(events)
    rolls = [place for place, event in enumerate(events) if isinstance(event, Roll)]
    for place, event in enumerate(events):
        if rolls and place > rolls[0] and isinstance(event, Use) and event.card in ("fool", "merchant"):
            lost = (UNREAD,) * len(event.before)
            found[place] = Use(event.card, lost, event.after)
            found[rolls[0]] = Roll((*(without(events[rolls[0]].dice, event.before) or ()), *lost))
    return tuple(found)


def course(random: Random, state: State) -> tuple[list[Event], State]:
    """A legal course with at most two cards and a roll."""
    events: list[Event] = []
    for kind in random.sample((Use, Use, Roll, Keep, Keep), random.randint(1, 5)):
        choices: list[Event] = [*some_uses(random, state)]
        if state.turn.active and kind is not Use:
            choices = [
                Roll(thrown(random, state.to_roll))
                if kind is Roll
                else Keep(random.choice(parts(state.turn.active)[1:]))
            ]
        event = next((one for one in choices if isinstance(one, kind) and can(state, "A", one)), None)
        if event is not None:
            events.append(event)
            state = play(state, "A", event)
    return events, state


@given(st.integers(0, 10**9))
@example(634035)
def test_a_played_turn_is_explained_by_legal_courses_with_the_same_dice(seed: int) -> None:
    random = Random(seed)
    state = position(random)
    events, end = course(random, state)
    table = end.turn.active, end.turn.kept
    found = explain(state, *table)
    assert found
    for one in found:
        then = state
        for event in one.events:
            then = play(then, "A", event)
        assert then == one.state
        assert (then.turn.active, then.turn.kept) == table
        assert sum(isinstance(event, Roll) for event in one.events) <= 1
    inert = any(isinstance(event, Use) and set(event.before) & set(event.after) for event in events)
    if not turned_before_a_throw(events) and not inert:
        assert key(unread_where_rolled_again(events)) in {key(one.events) for one in found}


def courses(position: str, active: Faces, kept: Faces, **limits: int) -> list[str]:
    """The courses as text."""
    found = explain(at(position), tuple(sorted(active)), tuple(sorted(kept)), **limits)
    return [" · ".join(map(event_text, one.events)) for one in found]


def test_dice_at_rest_are_explained_by_nothing() -> None:
    assert courses("A fool; B -; active 5 2; kept 3", (5, 2), (3,), roll_count=0) == [""]


def test_dice_set_aside_are_never_taken_back() -> None:
    assert courses("A magician; B -; active 5 2; kept 3", (5, 2, 3), ()) == []


def test_the_limits_leave_out_rolls_and_cards() -> None:
    position = "A maid; B -; active 3 1; kept 6"
    assert courses(position, (4, 1), (6,), roll_count=0) == ["use maid 3 > 4"]
    assert courses(position, (4, 1), (6,), cards=0) == ["roll 4 1"]


def test_the_philosopher_moves_pips_to_a_die_that_is_rolled() -> None:
    position = "A philosopher; B -; active 5 3 1; duty"
    assert courses(position, (4, 2), (6,)) == ["use philosopher 5 3 > 6 2 · keep 6 · roll 4 2"]


def test_the_astronomer_copies_a_die_set_aside_in_the_same_course() -> None:
    position = "A astronomer; B -; active 5 3 1; duty"
    assert courses(position, (5, 5), (5,), roll_count=0) == []
    assert courses(position, (5, 1), (5,), roll_count=0) == ["keep 5 · use astronomer 3 > 5"]


def test_a_die_rolled_twice_is_unread_in_between() -> None:
    found = courses("A fool; B -; active 5; kept 3 3", (2,), (3, 3))
    assert set(found) == {"roll 2", "use fool 5 > 2", "use fool 5 > ? · roll 2", "roll ? · use fool ? > 2"}


def test_cards_before_the_first_roll_show_with_it() -> None:
    position = "A laborer guard; B -"
    assert courses(position, (), ()) == [""]
    early = courses(position, (6, 5, 4, 4, 4), (), roll_count=1)
    assert "use laborer · use guard · roll 6 5 4 4 4" in early
