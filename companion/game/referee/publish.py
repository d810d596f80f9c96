"""The belief against the record: what is told, what is to be written, what is to be asked about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.game.changes import Line, Question
from companion.game.referee.beam import Weighed
from companion.game.referee.model import Hypothesis, joins, lines, merged, without_keeps
from companion.game.referee.questions import MOST_ANSWERS, SURE, WORTH_ASKING, Doubt, Explanation, which
from companion.game.referee.sentences import WHICH_PURCHASE, said
from companion.game.referee.verdict import Finding, Verdict
from companion.game.timeline import Timeline


def texts_from(timeline: Timeline, begin: int) -> tuple[str, ...]:
    """The record from this place on."""
    return tuple(line.event for line in timeline.lines[begin:])


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


def as_final(h: Hypothesis, record: Sequence[str]) -> Hypothesis | None:
    """A hypothesis that agrees with the record, with what is on record as set aside set aside."""
    if known(h, record) is not None:
        return h
    done = h.kept(h.set_aside())
    if done is None:
        return None
    if known(done, record) is not None:
        return done
    over = next(h.transitions.ends(h), None)
    return over if over is not None and known(over, record) is not None else None


def without_turn(h: Hypothesis, record: Sequence[str], state: object) -> Hypothesis | None:
    """A hypothesis that tells this record of a turn that is over, without it, from the position after it."""
    place = next((i for i in range(len(h.acts) + 1) if lines(h.texts[:i]) == record), None)
    if place is None:
        return None
    while place < len(h.acts) and h.acts[place].verb == "keep":
        place += 1
    return h.replace(base=state, acts=h.acts[place:]).replayed()


def head(h: Hypothesis, throws: int = 0) -> tuple[str, ...]:
    """What it tells up to its last throw; of one with fewer throws than these all that it tells."""
    its = sum(act.throws for act in h.acts)
    return lines(h.texts[: h.thrown] if its >= throws else h.texts)


def explanations(
    weighed: Iterable[Weighed], explained: Callable[[Hypothesis], tuple[str, ...] | None] = head
) -> Iterator[Explanation]:
    """What the hypotheses tell."""
    for one in weighed:
        its = explained(one.hypothesis)
        if its is not None:
            yield Explanation(its, one.chance)


def likeliest(weighed: Iterable[Weighed], explained: Callable[[Hypothesis], tuple[str, ...] | None]) -> list[Weighed]:
    """One hypothesis for each telling, with the chance of all that tell it; the likeliest telling first."""
    found: dict[tuple[str, ...], Weighed] = {}
    for one in weighed:
        its = explained(one.hypothesis)
        if its is not None:
            first = found.get(without_keeps(its), replace(one, chance=0.0))
            found[without_keeps(its)] = replace(first, chance=first.chance + one.chance)
    return sorted(found.values(), key=lambda one: -one.chance)


def values(h: Hypothesis, explained: Sequence[str], asked: Iterable[Doubt], sure: float) -> Iterator[Doubt]:
    """What may be asked about what thrown dice show, where that is less than `sure` and nothing else is in doubt there.

    told: what this hypothesis tells.
    """
    about = {place for doubt in asked for place in doubt.question.lines}
    throws = [place for place, text in enumerate(explained) if text in {h.texts[i] for i in _throwing(h)}]
    for at, place in zip(_throwing(h), throws, strict=False):
        if place in about or explained[place] != h.texts[at]:
            continue
        answers = {explained[place]: 1.0}
        for other, chance in _varied(h, h.acts[at].after):
            answers[other.texts[at]] = max(chance, answers.get(other.texts[at], 0.0))
        order = tuple((text,) for text in sorted(answers, key=lambda text: -answers[text]))[:MOST_ANSWERS]
        chance = 1.0 / sum(answers.values())
        if len(order) > 1 and chance < sure:
            courses = tuple(Explanation(shown, answers[shown[0]]) for shown in order)
            yield Doubt(Question(which(order), (place,), order), chance, place, courses)


def varied(one: Weighed) -> Iterator[Weighed]:
    """With dice of one throw showing something else."""
    h = one.hypothesis
    for at in _throwing(h):
        for other, chance in _varied(h, h.acts[at].after):
            yield Weighed(other, one.score + math.log(chance), one.chance * chance)


def _throwing(h: Hypothesis) -> list[int]:
    return [i for i, act in enumerate(h.acts) if act.throws]


def _varied(h: Hypothesis, names: Iterable[int]) -> Iterator[tuple[Hypothesis, float]]:
    """With one die showing something else, or two, and how likely that is beside what they show."""
    found = [(h, 1.0)]
    for name in names:
        face, seen = h.faces[name], h.stays[name]
        for one, chance in list(found) if face and seen else ():
            for instead in range(1, 7):
                odds = chance * math.exp(sum(stay.log_chances[instead] - stay.log_chances[face] for stay in seen))
                if instead != face and WORTH_ASKING <= odds <= 1.0:
                    other = one.showing(name, instead)
                    if other is not None:
                        found.append((other, odds))
    yield from found[1:]


def written(
    explained: Sequence[str],
    old: Sequence[Line],
    begin: int,
    asked: Iterable[Question],
    sure: float,
    cards: bool,
    weigh: Callable[[Doubt], Doubt],
) -> Verdict | None:
    """What makes the lines `old`, of which the first stands at `begin`, tell `told`, with these questions about it.

    What takes the place of something else is asked about, unless it is sure and the `cards` used are in view. weigh:
    tells whether a question matters. None where a person's line would have to go."""
    same = last = 0
    shortest = min(len(old), len(explained))
    while same < shortest and old[same].event == explained[same]:
        same += 1
    while last < shortest - same and old[-1 - last].event == explained[-1 - last]:
        last += 1
    out = old[same : len(old) - last]
    new = range(same, len(explained) - last)
    if any(line.by == "person" for line in out):
        return None

    def line_at(place: int) -> Line | None:
        return old[place] if place < same else old[place - len(explained)] if place >= len(explained) - last else None

    if out and not explained:
        return Verdict()  # nothing would be left about which to ask
    asked = list(asked)
    if out and (sure < SURE or not cards) and not any(set(new) & set(q.lines) for q in asked):
        about = new if new else range(max(0, same - 1), max(1, same))
        was = (*(explained[i] for i in about if i not in new), *(line.event for line in out))
        answers = tuple(explained[i] for i in about), was
        courses = tuple(Explanation(answer, 1.0) for answer in answers)
        asked.append(weigh(Doubt(Question(which(answers), tuple(about), answers), 0.5, min(about), courses)).question)
    asked = [q for q in asked if not any((its := line_at(i)) is not None and its.by == "person" for i in q.lines)]
    places = sorted({*new, *(i for q in asked for i in q.lines)})
    findings: list[Finding] = []
    at: dict[int, int] = {}
    for place in places:
        its = line_at(place)
        instead = its if its is not None else out[place - same] if place - same < len(out) else None
        at[place] = len(findings)
        findings.append(
            Finding(explained[place], sure, instead=instead.number)
            if instead is not None
            else Finding(explained[place], sure, at=begin + place if last else None)
        )
    gone = [Finding("", sure, instead=line.number) for line in out[len(new) :]]
    return Verdict((*findings, *gone), tuple(replace(q, lines=tuple(at[i] for i in q.lines)) for q in asked))


def with_purchases(found: Verdict, best: Hypothesis, weighed: Sequence[Weighed]) -> Verdict:
    """The verdict with the purchases of the likeliest hypothesis made first, each always asked about."""
    count = len(best.bought)
    first, asked = [], []
    for place, purchase in enumerate(best.bought):
        others = [*best.bought[:place], *best.bought[place + 1 :]]
        same = (
            one.hypothesis.bought[place].event
            for one in weighed
            if one.chance >= WORTH_ASKING
            and len(one.hypothesis.bought) == count
            and [*one.hypothesis.bought[:place], *one.hypothesis.bought[place + 1 :]] == others
        )
        answers = tuple((event,) for event in dict.fromkeys((purchase.event, *same)))[:MOST_ANSWERS]
        first.append(Finding(purchase.event, 0.5, at=purchase.at))
        asked.append(Question(said(WHICH_PURCHASE, seat=purchase.event[0]), (place,), answers))
    later = tuple(replace(one, at=None if one.at is None else one.at + count) for one in found.findings)
    moved = (replace(q, lines=tuple(i + count for i in q.lines)) for q in found.questions)
    return replace(found, findings=(*first, *later), questions=(*asked, *moved))
