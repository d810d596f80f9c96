"""The likeliest history against the record: what is to be written, what is to be asked about it, what is only shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.game.changes import Question
from companion.game.referee.beam import Weighed
from companion.game.referee.model import Hypothesis, joins, merged
from companion.game.referee.priors import PRIORS
from companion.referee.asking import questions
from companion.referee.ranking import Ranking, Told, ranked, told
from companion.referee.story import Story
from companion.referee.verdict import Finding, Verdict
from companion.referee.worlds import World
from vision.types import SeenDie


def known(h: Hypothesis, record: Sequence[str]) -> int | None:
    """So many of its acts are what the record says; None where it tells otherwise."""
    count, number, line = len(record), 0, ""  # lines that are complete, and the one that may still grow
    for place, text in enumerate(h.texts):
        if joins(line, text):
            line = merged(line, text)
            continue
        if number == count and (not line or line == record[-1]):
            return place
        if number == count or (line and line != record[number - 1]):
            return None
        number, line = number + 1, text
    if number == count and (not line or line == record[-1]):
        return len(h.acts)
    return None


def story(h: Hypothesis, begin: int, score: float, closed: bool = False) -> Told:
    """What a hypothesis tells after its first acts, as a story to be weighed. closed: all of it is final."""
    done = h
    if not closed:
        done = h.kept(h.set_aside()) or h  # shown as it would be, were it final
    events = tuple((act.seat, done.event(act)) for act in done.acts[begin:])
    return replace(told(World(h.base), Story(done.state, events, 0.0), 0.0, final=closed), score=score)


def ranking(weighed: Sequence[Weighed], record: Sequence[str]) -> tuple[Ranking, list[tuple[Told, Hypothesis]]] | None:
    """The hypotheses that agree with the record, by what they tell beyond it; with the hypothesis of each story."""
    found: list[tuple[Told, Hypothesis]] = []
    shift: float | None = None
    for one in weighed:
        place = known(one.hypothesis, record)
        if place is not None:
            shift = one.hypothesis.step - one.score if shift is None else shift  # how likely what came last was
            found.append((story(one.hypothesis, place, one.score + shift), one.hypothesis))
    order = ranked(one for one, _ in found)
    return None if order is None else (order, found)


def unsure_dice(h: Hypothesis) -> list[SeenDie]:
    """The dice of its last throw with what they may show, for questions about them."""
    if not h.thrown:
        return []
    found = []
    for name in h.acts[h.thrown - 1].after:
        sums = [sum(max(lie.log_chances[face], PRIORS.floor) for lie in h.links[name]) for face in range(1, 7)]
        top = max(sums)
        weights = [math.exp(one - top) for one in sums]
        a, b, c, d, e, f = (weight / sum(weights) for weight in weights)
        if h.links[name] and h.faces[name]:
            found.append(SeenDie(name, (0.0, 0.0, 1.0, 1.0), (a, b, c, d, e, f), False))
    return found


def verdict(order: Ranking, best: Hypothesis, doubtful: bool = False) -> Verdict:
    """The likeliest story as findings, with questions about what may be otherwise."""
    sure = order.chances[0]
    dice = unsure_dice(best)
    asked: tuple[Question, ...] = questions(order, dice, doubtful)
    findings = tuple(Finding(event, sure) for event in order.best.found)
    return Verdict(findings, asked, tuple(Finding(event, sure) for event in order.best.later))
