"""Priors fitted together: sums that know which priors count in them, and those that make what was played likeliest.

Conditional maximum likelihood of a log-linear model (Berger, Della Pietra & Della Pietra, Computational Linguistics 22,
1996); `scripts/fit_jointly.py` says what of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from companion.game.referee.priors import Priors

Vector = npt.NDArray[np.float64]

SHARES = ("confident", "doubted", "together")  # these are no log chances
HELD = (  # what people do oftener, or otherwise, than simulated players
    *("aside_again", "taken_back", "put_back", "none_kept", "given_up", "skipped", "bought", "after_clearing"),
    *("not_cleared", "idle_moved", "early", "again", "again_unclear"),
)
NAMES = tuple(field.name for field in fields(Priors) if field.name not in SHARES)
ODDS = ("with_throw",)  # log odds; all others are log chances, at most 0
STEPS = 60


class Counted(float):
    """A sum that knows how often each prior counts in it."""

    counts: Vector

    def __new__(cls, value: float, counts: Vector) -> Counted:
        """counts: (len(NAMES),)."""
        one = super().__new__(cls, value)
        one.counts = counts
        return one

    def __add__(self, other: float) -> Counted:
        counts = self.counts + other.counts if isinstance(other, Counted) else self.counts
        return Counted(float(self) + float(other), counts)

    __radd__ = __add__

    def __neg__(self) -> Counted:
        return Counted(-float(self), -self.counts)

    def __sub__(self, other: float) -> Counted:
        return self + -other

    def __rsub__(self, other: float) -> Counted:
        return -self + other

    def __mul__(self, other: float) -> Counted:
        return Counted(float(self) * float(other), self.counts * float(other))

    __rmul__ = __mul__


@dataclass(frozen=True, slots=True)
class Held:
    """The histories held of one turn. scores: (n,) log chances; counts: (n, len(NAMES)); played: (n,) those that tell
    what was played; told: of each."""

    scores: Vector
    counts: Vector
    played: npt.NDArray[np.bool_]
    told: tuple[tuple[str, ...], ...]


def fitted(turns: Sequence[Held], begun: Vector, precision: float) -> Vector:
    """The priors, (len(NAMES),), under which what was played is likeliest; from `begun`, by Newton's method."""
    free = np.array([name not in HELD for name in NAMES])
    most = np.array([np.inf if name in ODDS else 0.0 for name in NAMES])

    def cost(moved: Vector) -> float:
        return loss(turns, moved)[0] + precision * float(moved @ moved) / 2

    moved = np.zeros_like(begun)
    for _ in range(STEPS):
        _, slope, bend = loss(turns, moved)
        step = np.zeros_like(moved)
        inner = bend[np.ix_(free, free)] + precision * np.eye(free.sum())
        step[free] = np.linalg.solve(inner, (slope + precision * moved)[free])
        size, was = 1.0, cost(moved)
        while size > 1e-3 and cost(np.minimum(moved - size * step, most - begun)) >= was:
            size /= 2
        if size <= 1e-3:
            break
        moved = np.minimum(moved - size * step, most - begun)
    return begun + moved


def loss(turns: Iterable[Held], moved: Vector) -> tuple[float, Vector, npt.NDArray[np.float64]]:
    """Log loss of what was played with the priors moved so far: its value, its slope, and the part of its curvature
    that is never negative."""
    total, slope, bend = 0.0, np.zeros_like(moved), np.zeros((len(moved), len(moved)))
    for turn in turns:
        scores = turn.scores + turn.counts @ moved
        every, played = np.logaddexp.reduce(scores), np.logaddexp.reduce(scores[turn.played])
        total += every - played
        chances = np.exp(scores - every)
        mean = chances @ turn.counts
        slope += mean - np.exp(scores[turn.played] - played) @ turn.counts[turn.played]
        bend += (turn.counts.T * chances) @ turn.counts - np.outer(mean, mean)
    return float(total), slope, bend


def right(turn: Held, moved: Vector) -> bool:
    """Whether what is told by the likeliest histories together is what was played."""
    chances: dict[tuple[str, ...], float] = {}
    for told, score in zip(turn.told, turn.scores + turn.counts @ moved, strict=True):
        chances[told] = np.logaddexp(chances.get(told, -np.inf), score)
    return max(chances, key=chances.__getitem__) in {turn.told[i] for i in np.flatnonzero(turn.played)}
