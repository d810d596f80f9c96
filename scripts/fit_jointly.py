"""Fit the referee's priors together: `python -m scripts.fit_jointly FILE...`.

FILES are kept turns (`python -m scripts.measure_table --observations FILE`, drawn, not filmed). The log chance of a
history is a sum of priors, each counted so many times, and of what the dice look like. So the referee judges every turn
with priors that note how often they count, and those are looked for under which what was played is likeliest among all
that the referee held: conditional maximum likelihood of a log-linear model (Berger, Della Pietra & Della Pietra,
Computational Linguistics 22, 1996). Each is held near the value it has, by a normal distribution around it. What
people do otherwise than simulated players stays as it is.

Prints what each was and would be, and in how many turns it tells histories apart; the log loss, and in how many turns
the likeliest history is the true one, before and after. With --test the same of turns that were not fitted.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.game.referee import knatsch, krone
from companion.game.referee.beam import Belief, Condition
from companion.game.referee.model import without_keeps
from companion.game.referee.priors import PRIORS, Priors
from companion.game.referee.referee import BeliefReferee
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline
from scripts.kept_turns import KeptTurn, read_turns
from scripts.simulation.played_turns import recorded, table_for
from vision.types import Reading

Vector = npt.NDArray[np.float64]

SHARES = ("confident", "doubted", "together")  # these are no log chances
HELD = (  # what people do oftener, or otherwise, than simulated players
    *("aside_again", "taken_back", "put_back", "none_kept", "given_up", "skipped", "bought", "after_clearing"),
    *("not_cleared", "idle_moved", "early", "again", "again_unclear"),
)
NAMES = tuple(field.name for field in fields(Priors) if field.name not in SHARES)
ODDS = ("with_throw",)  # log odds; all others are log chances, at most 0
PRECISION = 10.0  # one over the variance, in nats², of what is fitted around the value it has
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


class _Remembering(BeliefReferee):
    """Keeps the belief that explained most."""

    most: Belief | None = None

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        said = super().judge(timeline, reading)
        now = self._belief
        if now is not None and now.scenes and (self.most is None or len(now.scenes) >= len(self.most.scenes)):
            self.most = now.copied()
        return said


def main() -> None:
    """Judge, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--test", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--precision", type=float, default=PRECISION, help="how near its value each is held")
    wanted = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(initializer=count_priors) as pool:
        taught, tested = (
            [one for file in files for one in pool.imap(held, read_turns(file), 4) if one.played.any()]
            for files in (wanted.files, wanted.test)
        )
    begun = np.array([getattr(PRIORS, name) for name in NAMES])
    found = fitted(taught, begun, wanted.precision)
    differ = np.sum([np.ptp(turn.counts, axis=0) > 0 for turn in taught], axis=0)
    for place in np.argsort(-np.abs(found - begun)):
        print(f"{NAMES[place]:14} {begun[place]:6.2f} → {found[place]:6.2f}   in {differ[place]} turns")
    for name, turns in (("fitted", taught), ("not fitted", tested)):
        if turns:
            for when, at in (("before", begun), ("after", found)):
                loss, right = _loss(turns, at - begun)[0] / len(turns), sum(_right(one, at - begun) for one in turns)
                print(f"{name}, {when}: log loss {loss:.4f} a turn, the likeliest right in {right} of {len(turns)}")


def count_priors() -> None:
    """From now on the priors of this process note where they count."""
    for name, counts in zip(NAMES, np.eye(len(NAMES)), strict=True):
        object.__setattr__(PRIORS, name, Counted(getattr(PRIORS, name), counts))


def held(turn: KeptTurn) -> Held:
    """What the referee held of this turn when it had seen most, and the true history, where that can be held at all."""
    referee = _Remembering(krone if turn.begun.GAME == "krone" else knatsch)
    recorded(table_for(turn.begun, referee), turn.seen)
    belief, truth = referee.most, _told(turn.lines)
    if belief is None:
        return Held(np.empty(0), np.empty((0, len(NAMES))), np.empty(0, bool), ())
    histories = list(belief.hypotheses)
    if not any(_told(h.texts) == truth for h in histories):
        found = belief.replayed(belief.begun, Condition(truth)).hypotheses
        histories += [h for h in found if _told(h.texts) == truth]
    told = tuple(_told(h.texts) for h in histories)
    scores = [h.prior + h.evidence for h in histories]
    counts = np.array([_counts(score) for score in scores])
    return Held(np.array(scores, float), counts, np.array([one == truth for one in told]), told)


def _told(texts: Iterable[str]) -> tuple[str, ...]:
    """What dice tell of these events: neither purchases nor passes, and not when dice were set aside."""
    return tuple(text for text in without_keeps(texts) if text[1:6] not in (" buy ", " pass"))


def _counts(score: Any) -> Vector:
    return score.counts if isinstance(score, Counted) else np.zeros(len(NAMES))


def fitted(turns: Sequence[Held], begun: Vector, precision: float) -> Vector:
    """The priors, (len(NAMES),), under which what was played is likeliest; from `begun`, by Newton's method."""
    free = np.array([name not in HELD for name in NAMES])
    most = np.array([np.inf if name in ODDS else 0.0 for name in NAMES])

    def cost(moved: Vector) -> float:
        return _loss(turns, moved)[0] + precision * float(moved @ moved) / 2

    moved = np.zeros_like(begun)
    for _ in range(STEPS):
        _, slope, bend = _loss(turns, moved)
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


def _loss(turns: Iterable[Held], moved: Vector) -> tuple[float, Vector, npt.NDArray[np.float64]]:
    """Log loss of what was played with the priors moved so far: its value, its slope, and the part of its curvature
    that is never negative."""
    loss, slope, bend = 0.0, np.zeros_like(moved), np.zeros((len(moved), len(moved)))
    for turn in turns:
        scores = turn.scores + turn.counts @ moved
        every, played = np.logaddexp.reduce(scores), np.logaddexp.reduce(scores[turn.played])
        loss += every - played
        chances = np.exp(scores - every)
        mean = chances @ turn.counts
        slope += mean - np.exp(scores[turn.played] - played) @ turn.counts[turn.played]
        bend += (turn.counts.T * chances) @ turn.counts - np.outer(mean, mean)
    return float(loss), slope, bend


def _right(turn: Held, moved: Vector) -> bool:
    """Whether what is told by the likeliest histories together is what was played."""
    chances: dict[tuple[str, ...], float] = {}
    for told, score in zip(turn.told, turn.scores + turn.counts @ moved, strict=True):
        chances[told] = np.logaddexp(chances.get(told, -np.inf), score)
    return max(chances, key=chances.__getitem__) in {turn.told[i] for i in np.flatnonzero(turn.played)}


if __name__ == "__main__":
    main()
