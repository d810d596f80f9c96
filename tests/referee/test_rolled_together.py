"""Which dice of a snapshot were rolled, and which stays are the same dice, where many arrive at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.game.referee import association
from companion.game.referee.association import Match, Step, matches
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.rolled import RollChance, roll_chance, rolled_together
from companion.game.referee.stays import Sighting, Snapshot, Stay
from companion.games.krone import transitions as krone
from tests.referee.refereed import table

MUCH = 3.0  # log odds
CARDS = ("maid", "magician", "noblewoman", "nobleman", "philosopher", "alchemist")
FACES = (1, 2, 3, 4, 5, 6, 1, 2, 3, 4)


def arrived(number: int, chance: float, began: float, last_empty: float) -> Sighting:
    """A die that came to rest then, with the chance that vision gives it of having rolled."""
    box = (100.0 * number, 0.0, 100.0 * number + 50, 50.0)
    return Sighting(Stay(number, number, box, began, chance, 3.0, began, last_empty), kept=False)


def together(*dice: Sighting) -> list[RollChance]:
    snapshot = Snapshot(dice, 3.0, has_kept_zone=False)
    return rolled_together([roll_chance(one, snapshot, None) for one in dice])


@pytest.mark.parametrize("chance", [0.05, 0.92])
def test_a_die_that_comes_to_rest_with_rolled_ones_was_rolled_with_them(chance: float) -> None:
    """Bug: five dice of another game were a roll of four, and a card had added the one that a single pass saw."""
    alone = together(arrived(1, chance, 2.5, 2.4))[0].odds
    one, *_ = together(arrived(1, chance, 2.5, 2.4), arrived(2, 0.99, 2.4, 2.3))
    assert one.odds > alone + MUCH


@pytest.mark.parametrize(
    ("began", "last_empty"),
    [(3.0, 2.9), (2.5, float("-inf"))],
    ids=["it came later", "its place was not visible before"],
)
def test_a_die_that_may_have_come_at_another_time_is_judged_by_itself(began: float, last_empty: float) -> None:
    one, *_ = together(arrived(1, 0.05, began, last_empty), arrived(2, 0.99, 2.4, 2.3))
    assert one.odds < -2.0


def _moved() -> tuple[Hypothesis, list[Sighting]]:
    """A hypothesis with ten dice, and ten unclear dice in other places."""
    state = table(*CARDS).state
    old, new = ([arrived(place + first, 0.05, 2.5, 2.4) for place in range(10)] for first in (0, 100))
    for one, face in zip((*old, *new), (*FACES, *FACES), strict=True):
        one.stay.read(tuple(0.3 if each == face else 0.14 for each in range(1, 7)))  # type: ignore[arg-type]
    dice = tuple(Die(name, Zone.ACTIVE, one.stay) for name, one in enumerate(old))
    return Hypothesis(krone, state, state, faces=FACES, stays=tuple((one.stay,) for one in old), dice=dice), new


def _counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Match]:
    """The list to which this generator of the module adds what it yields."""
    yielded: list[Match] = []
    generator = getattr(association, name)

    def counted(*args: Any) -> Iterator[Match]:
        for one in generator(*args):
            yielded.append(one)
            yield one

    monkeypatch.setattr(association, name, counted)
    return yielded


def test_many_moved_dice_are_matched_by_a_bounded_number_of_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: all ways to match the dice were tried, so a hand that moved ten unclear dice stopped the referee."""
    trials = _counted(monkeypatch, "_different")
    h, new = _moved()
    found = matches(h, new, range(10), {}, Step(Snapshot(tuple(new), 3.0, has_kept_zone=True)), {}, -150.0)
    assert [match.face for match in found[0][0]] == list(FACES)
    assert len(trials) < 10_000


def test_one_die_is_matched_to_one_stay_only_once_for_all_sets_of_rolled_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: each set of rolled dice worked out all matches again, so twelve dice kept a reading waiting for seconds."""
    h, new = _moved()
    step = Step(Snapshot(tuple(new), 3.0, has_kept_zone=True))
    matches(h, new, range(10), {}, step, {}, -150.0)
    again = _counted(monkeypatch, "_assigned")
    assert matches(h, new[1:], range(9), {}, step, {}, -150.0)
    assert not again
