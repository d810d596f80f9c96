"""Dice put there by hand that turn out to be hard to read: what has happened if they show something else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.game.changes import Line, Question
from companion.game.log import GameLog
from companion.game.timeline import Timeline
from companion.referee.asking import which
from companion.referee.diary import Diary, Hindsight
from companion.referee.memory import Memory, Taken
from companion.referee.ranking import Ranking, ranked, told
from companion.referee.retelling import Teller, in_common, told_on
from companion.referee.story import Story
from companion.referee.verdict import Finding, Verdict
from companion.referee.wavering import PUT, Lie
from companion.referee.worlds import World
from vision.types import Reading

MAY_BE = 0.02  # a value with less chance than this, when the die was least sure, is not thought of
MOST_FACES = 2  # values thought of for one die
ASKED = -2.5  # what has happened then is asked about if its log chance is so near that of what is on record …
NOTHING_FITS = -14.0  # log chance of what nothing explains
MOST_GLIMPSES = 24  # what was seen earlier is not told anew while the dice lie there


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What has happened if a die shows something else. page: from which on; course, memory: as they would be now;
    odds: log odds against what is on record; evidence: what of that is due to how the die looks."""

    page: int
    taken: Taken
    timeline: Timeline
    memory: Memory
    odds: float
    evidence: float


def doubtful(lies: Mapping[int, Lie], reading: Reading, memory: Memory) -> Iterator[tuple[Taken, float]]:
    """Dice of the reading put there by a hand that were ever less than sure, each with what else it may show and the
    log odds of that."""
    there = {die.track: die for die in reading.dice}
    taken = {die.track for die, _ in memory.taken}
    for track, lie in lies.items():
        die = there.get(track)
        if die is None or track in taken or not lie.doubted or lie.die.rolled > PUT:
            continue
        shown = lie.die.value
        others = [face for face in range(1, 7) if face != shown and lie.least[face - 1] >= MAY_BE]
        for face in sorted(others, key=lambda face: -lie.least[face - 1])[:MOST_FACES]:
            yield (lie.die, face), math.log(lie.least[face - 1] / max(lie.least[shown - 1], lie.least[face - 1] / 4))


def if_it_shows(
    taken: Taken, evidence: float, diary: Diary, timeline: Timeline, memory: Memory, teller: Teller | None, page: int
) -> Otherwise | None:
    """What has happened if the die is taken for what it may also show. teller: as it was before that page."""
    glimpses = list(diary.since(page))
    if teller is None or len(glimpses) > MOST_GLIMPSES:
        return None
    before = diary.pages[page]
    if timeline.lines[: len(before.timeline.lines)] != before.timeline.lines:
        return None
    aside = GameLog.of(before.timeline)
    told_on(aside, teller, glimpses)
    now = teller.memory
    odds = evidence + _cost(now) - _cost(memory)
    return Otherwise(page, taken, aside.timeline, now, odds, evidence)


def _cost(memory: Memory) -> float:
    if memory.unfit or memory.missed is not None:
        return memory.cost + NOTHING_FITS
    return memory.cost + (max(NOTHING_FITS, memory.suspected.score) if memory.suspected else 0.0)


def beside(hand: Ranking | None, other: Otherwise, timeline: Timeline) -> Ranking | None:
    """What hands have done, with what they have done in that case kept beside it."""
    theirs = other.memory.hand
    mine = hand.told if hand else (told(World(timeline.state), Story(timeline.state), 0.0),)
    if theirs is None:
        return hand
    shift = mine[0].score - theirs.best.score + other.odds
    seen = mine[0].seen - theirs.best.seen + other.evidence
    more = (replace(one, score=one.score + shift, seen=one.seen + seen) for one in theirs.told if not one.world.found)
    return ranked((*mine, *(replace(one, world=World(timeline.state)) for one in more)))


def question(timeline: Timeline, other: Otherwise) -> tuple[Verdict, Hindsight] | None:
    """The question whether that has happened rather than what is on record; None where it is too unlikely, or where
    there is nothing to ask about."""
    if other.odds < ASKED:
        return None
    place, count, others = _differing(timeline.lines, other.timeline.lines)
    was, its = timeline.lines[place : place + count], other.timeline.lines[place : place + others]
    if not was or not its or any(line.by == "person" for line in was):
        return None
    mine, theirs = (tuple(line.event for line in lines) for lines in (was, its))
    answers = (mine, theirs)
    findings = tuple(Finding(line.event, 0.5, instead=line.number) for line in was)
    asked = Question(which(answers), tuple(range(len(mine))), answers)
    return Verdict(findings, (asked,)), {theirs: (other.page, other.taken)}


def _differing(was: Sequence[Line], now: Sequence[Line]) -> tuple[int, int, int]:
    """Where these lines differ: place, and how many in each; no part is empty where that can be helped."""
    begin, end = in_common(was, now)
    if begin + end == min(len(was), len(now)) and begin:
        begin -= 1
    return begin, len(was) - begin - end, len(now) - begin - end
