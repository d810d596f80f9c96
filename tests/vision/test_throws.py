"""Whether dice were rolled between two settled tables if hands were there."""

from __future__ import annotations

from vision.tracking.constants import SHOWS_ELSE
from vision.tracking.throws import RestingDie, throw_chance

WIDTH = 40.0


def die(track: int, value: int, x: float, y: float = 340.0, **fields: object) -> RestingDie:
    """A die in its old place among those set aside, unless `fields` says otherwise."""
    chances = [0.002] * 6
    chances[value - 1] = 0.99
    defaults: dict[str, object] = {"kept": True, "moved": 0.0, "beside": 0.0, "handled": True, "new": False}
    box = (x, y, x + WIDTH, y + WIDTH)
    return RestingDie(track=track, box=box, probabilities=tuple(chances), **(defaults | fields))  # type: ignore[arg-type]


def test_a_die_put_down_while_a_hand_pushes_the_row_is_not_rolled() -> None:
    """Bug: while a hand pushed the row beside the Knight's die, one die was confused with its neighbour. One face
    seemed gone, so the new die seemed to be that one, rolled."""
    before = [die(1, 3, 105), die(2, 3, 162), die(3, 3, 207), die(4, 6, 259), die(5, 6, 316), die(6, 6, 363)]
    now = [die(1, 3, 105), die(2, 3, 162), die(4, 3, 209, moved=1.3), die(7, 6, 259, new=True), *before[4:]]
    assert not throw_chance(before, [*now, die(8, 5, 358, 246, kept=False, new=True)], hand=True, has_kept_zone=True)
    thrown = die(8, 5, 358, 246, kept=False, new=True, rolls=2, handled=False)
    assert throw_chance(before, [*now, thrown], hand=True, has_kept_zone=True) == 1.0


def test_a_die_that_a_hand_takes_from_play_and_puts_back_is_rolled_if_it_shows_another_value() -> None:
    before = [die(1, 3, 105), die(2, 3, 162), die(3, 2, 300, 100, kept=False), die(4, 1, 400, 150, kept=False)]
    for shows, thrown in ((1, 0.0), (5, SHOWS_ELSE)):
        now = [*before[:2], before[2], die(5, shows, 200, 200, kept=False, new=True)]
        assert throw_chance(before, now, hand=True, has_kept_zone=True) == thrown
