"""Readings become evidence: where each die rests, since when, and what it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.referee.observation import Observer
from companion.game.referee.priors import PRIORS
from tests.kit.laid_table import WIDTH, LaidTable
from tests.referee import refereed


def test_dice_that_reappear_with_their_old_tracks_are_the_same_dice() -> None:
    """Bug: a hand rested on two of three dice, and they counted as rolled again."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 3, 1))
    seen = []
    for hidden in (False, True, False):
        laid.active(3).hidden = laid.active(1).hidden = hidden
        reading = laid.read()
        observer.watch(reading)
        observer.snapshot = observer.see(reading)
        seen.append(observer.snapshot.numbers)
    assert len(seen[1]) == 1
    assert seen[2] == seen[0]


def test_a_die_turned_in_sight_between_the_fingers_was_turned_and_not_misread() -> None:
    """Bug: a single die was visible all the time while a hand turned it."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 5, 1))
    die, before = laid.active(5), laid.read()
    observer.watch(before)
    observer.snapshot = observer.see(before)
    fingers = (die.x + WIDTH / 4, die.y - 60.0, die.x + 90.0, die.y + 60.0)
    for _ in range(10):
        observer.watch(laid.read(settled=False, after=0.2))
    observer.watch(replace(laid.read(settled=False, after=0.2), hands=(fingers,)))
    die.value = 6
    now = laid.read(after=0.2)
    observer.watch(now)
    assert [sighting.stay.value for sighting in observer.see(now).sightings if sighting.turned] == [6]


@pytest.mark.parametrize("turned", [False, True])
def test_a_die_read_too_early_shows_what_it_shows_before_a_hand_comes(turned: bool) -> None:
    """Bug: the die was read while it tipped over and later lifted by a hand, and a card seemed to have turned it."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 5, 1))
    before = laid.read()
    observer.watch(before)
    observer.snapshot = observer.see(before)
    stay, die = (
        next(sighting.stay for sighting in observer.snapshot.sightings if sighting.stay.value == 5),
        laid.active(5),
    )
    die.value = 5 if turned else 4
    for _ in range(3):
        observer.watch(laid.read(settled=False, after=0.1))
    die.value, die.hidden = 4, True
    observer.watch(laid.read(settled=False, after=0.1))
    die.hidden = False
    now = laid.read(after=0.5)
    observer.watch(now)
    assert stay.value == (5 if turned else 4)
    assert any(sighting.turned for sighting in observer.see(now).sightings) == turned


@pytest.mark.parametrize(("looks", "turned"), [(4, False), (15, True)])
def test_a_die_that_has_rested_for_long_was_turned_even_if_no_hand_was_seen(looks: int, turned: bool) -> None:
    """Bug: a hand over grained wood was not noticed, and the 6 that the Philosopher had turned to 5 counted as misread.
    A die tips over within a second or not at all."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 4, 3))
    before = laid.read()
    observer.watch(before)
    observer.snapshot = observer.see(before)
    for _ in range(looks):
        observer.watch(laid.read(settled=False, after=0.1))
    laid.active(6).value = 5
    for settled in (False, True):
        now = laid.read(settled=settled, after=0.1)
        observer.watch(now)
    assert [sighting.stay.value for sighting in observer.see(now).sightings if sighting.turned] == [5] * turned


def test_a_visible_unchanged_die_has_not_been_rolled_whatever_the_camera_counts() -> None:
    """Vision counts a roll next to it, but it was visible and at rest all the time."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 4))
    for _ in range(15):
        now = laid.read(after=0.1)
        observer.watch(now)
        observer.snapshot = observer.snapshot or observer.see(now)
    assert observer.snapshot is not None
    laid.active(6).rested_since += 1
    later = laid.read(after=0.1)
    observer.watch(later)
    assert observer.see(later).numbers == observer.snapshot.numbers


@pytest.mark.parametrize("both", [False, True])
def test_a_die_that_moved_as_another_did_has_kept_its_place(both: bool) -> None:
    """Bug: a hand hid one of two dice while the camera shook by a third of their width, and it counted as rolled
    nearby."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 3))
    before = laid.read()
    observer.watch(before)
    observer.snapshot = observer.see(before)
    laid.active(3).hidden = True
    observer.watch(laid.read(settled=False, after=0.3))
    laid.active(3).hidden = False
    for die in (laid.active(6), laid.active(3))[0 if both else 1 :]:
        die.x += 0.3 * WIDTH
    now = laid.read(after=0.5)
    observer.watch(now)
    shift = next(sighting.shift for sighting in observer.see(now).sightings if sighting.stay.value == 3)
    assert shift == pytest.approx(0.0 if both else 0.3, abs=0.01)


@pytest.mark.parametrize(("dark", "late"), [(2, True), (8, False)])
def test_a_place_that_a_hand_has_just_left_was_not_seen_empty(dark: int, late: bool) -> None:
    """Bug: at twelve frames a second, a die set aside became visible beside a later one two frames after the arm had
    left, and counted as put there afterwards."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 3))
    hidden, arm = laid.active(3), laid.active(3)
    hidden.hidden = True
    over = (arm.x - 60.0, arm.y - 60.0, arm.x + 60.0, arm.y + 60.0)
    for _ in range(6):
        observer.watch(replace(laid.read(settled=False, after=1 / 12), hands=(over,)))
    left = laid.seconds
    for _ in range(dark):
        observer.watch(laid.read(settled=False, after=1 / 12))
    hidden.hidden = False
    now = laid.read(after=1 / 12)
    observer.watch(now)
    stay = next(sighting.stay for sighting in observer.see(now).sightings if sighting.stay.value == 3)
    assert (stay.last_empty > left) is not late


@pytest.mark.parametrize("hidden", [False, True])
def test_one_reading_is_evidence_once_however_often_it_is_judged(hidden: bool) -> None:
    """Bug: the table judges a reading up to three times if something follows from it, and each time counted."""
    game_, laid = refereed.table(), LaidTable()
    game_.see(laid.read())
    laid.throw((6, 5, 1))
    laid.active(5).sure, laid.active(1).hidden = 0.6, hidden
    reading = laid.read()
    for _ in range(3):
        game_.see(reading)
    snapshot = game_._referee._observer.snapshot  # type: ignore[union-attr]
    assert [sighting.stay.count for sighting in snapshot.sightings] == [
        1.0 if max(die.probabilities) >= PRIORS.confident else PRIORS.doubted for die in reading.dice
    ]


def test_a_reading_judged_twice_shows_the_same_dice() -> None:
    """Bug: with a die that a hand had nudged, a snapshot did not repeat itself. Its roll was recorded twice."""
    observer, laid = Observer(), LaidTable()
    laid.throw((6, 3))
    laid.keep(6)
    for hidden in (False, True, False):
        laid.dice[0].hidden = hidden
        reading = laid.read()
        observer.watch(reading)
        before, observer.snapshot = observer.snapshot, observer.see(reading)
        laid.tidy(6, 0.04 * WIDTH, 0.0)
    assert before is not None
    assert not observer.snapshot.repeats(before)
    assert observer.snapshot.repeats(observer.snapshot)
