"""Priors fitted together: sums know what counts in them, and what was played becomes as likely as it was often."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.joint_priors import HELD, NAMES, Counted, Held, fitted

HIDDEN, GHOST = NAMES.index("hidden"), NAMES.index("ghost")


def test_what_is_held_are_priors() -> None:
    assert set(HELD) < set(NAMES)


@given(
    st.lists(st.sampled_from(["+", "-", "r-", "neg", "*", "sum"]), max_size=12), st.lists(st.floats(-4, 4), min_size=3)
)
def test_a_sum_is_what_its_counts_say(ways: list[str], numbers: list[float]) -> None:
    values = np.array([-1.5, 2.25])
    one, other = (Counted(value, counts) for value, counts in zip(values, np.eye(2), strict=True))
    total, plain = Counted(0.0, np.zeros(2)), 0.0
    for i, way in enumerate(ways):
        number = numbers[i % len(numbers)]
        match way:
            case "+":
                total = total + (one if i % 2 else other)
            case "-":
                total = total - other
            case "r-":
                total, plain = number - total, number - plain
            case "neg":
                total, plain = -total, -plain
            case "*":
                total, plain = total * number, plain * number
            case _:
                total = sum([total, one, number], 0.0)  # type: ignore[assignment]
                plain += number
    assert float(total) == pytest.approx(plain + float(total.counts @ values), rel=1e-9, abs=1e-6)


def test_a_prior_becomes_the_share_of_what_was_played() -> None:
    """Of two histories that one prior tells apart the costlier was played in a quarter of a thousand turns."""
    begun = np.full(len(NAMES), -2.0)
    found = fitted([_told_apart(HIDDEN, costly=i % 4 == 0) for i in range(1000)], begun, precision=0.01)
    assert found[HIDDEN] == pytest.approx(math.log(1 / 3), abs=0.02)
    assert found[GHOST] == pytest.approx(-2.0)


def test_what_people_do_otherwise_stays_and_no_chance_exceeds_one() -> None:
    begun = np.full(len(NAMES), -2.0)
    people = NAMES.index(HELD[0])
    turns = [_told_apart(place, costly=True) for place in (people, HIDDEN) for _ in range(100)]
    found = fitted(turns, begun, precision=0.01)
    assert found[people] == -2.0
    assert found[HIDDEN] == pytest.approx(0.0)


def _told_apart(place: int, costly: bool) -> Held:
    """A turn with two histories, of which the second counts this prior once, at −2."""
    counts = np.zeros((2, len(NAMES)))
    counts[1, place] = 1.0
    return Held(np.array([0.0, -2.0]), counts, np.array([not costly, costly]), (("a",), ("b",)))
