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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from companion.game.referee import knatsch, krone
from companion.game.referee.beam import Belief, Condition
from companion.game.referee.model import without_keeps
from companion.game.referee.priors import PRIORS
from companion.game.referee.referee import BeliefReferee
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline
from scripts.kept_turns import KeptTurn, read_turns
from tests.kit.joint_priors import NAMES, Counted, Held, Vector, fitted, loss, right
from tests.kit.played_turns import recorded, table_for
from vision.types import Reading

PRECISION = 10.0  # one over the variance, in nats², of what is fitted around the value it has


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
                lost, hits = loss(turns, at - begun)[0] / len(turns), sum(right(one, at - begun) for one in turns)
                print(f"{name}, {when}: log loss {lost:.4f} a turn, the likeliest right in {hits} of {len(turns)}")


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


if __name__ == "__main__":
    main()
