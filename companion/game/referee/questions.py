"""What to ask: one question for each part in which the explanations differ from the record, with ranked answers.

An explanation is one course of the running turn as the record writes it, with its chance. Explanations that differ only
in when dice were set aside are one. What all of them share is final. A part in which they differ is asked about when
what is recorded there is not likely enough, summed over all explanations that agree on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.game.changes import Question, Sentence
from companion.game.referee.alike import FIRST, spread
from companion.game.referee.model import without_keeps
from companion.game.referee.sentences import UNSEEN, WHAT_HAPPENED, WHICH_VALUE, said, which_card

SURE = 0.98  # chance below which a part is asked about when its turn is over
URGENT = 0.75  # chance below which it is asked about at once; above it the rest of the turn may settle it
SURPRISED = 0.998  # the same as SURE where nothing explains well what was seen
SURE_DIE = 0.95  # chance below which the faces of a roll are asked about
LIKELY = 0.02  # chance below which an explanation does not define the parts
WORTH_ASKING = 0.01  # chance below which an answer is not offered
MOST_ANSWERS = 6

Events = tuple[str, ...]


class Explanation(NamedTuple):
    """One course of the turn: its lines, as the record writes them, and its chance, 0..1."""

    lines: Events
    chance: float


class Doubt(NamedTuple):
    """Something that may be asked.

    Attributes:
        question: The question with its answers.
        chance: Of its first answer, 0..1.
        place: Of the first line in question.
        courses: What may have happened from there on, as far as explanations differ. The first one is or will be on
            record; empty where nothing is known.
    """

    question: Question
    chance: float
    place: int = 0
    courses: tuple[Explanation, ...] = ()


def questions(explained: Events, explanations: Iterable[Explanation], sure: float = SURE) -> list[Doubt]:
    """The doubts about `explained`, which is or will be on record; `lines` of a question are indices into it.

    Args:
        explanations: All that the belief holds, with or without `explained`.
        sure: The chance from which on nothing is asked.
    """
    chances: dict[Events, float] = {without_keeps(explained): 0.0}
    texts: dict[Events, Events] = {without_keeps(explained): explained}
    for one in sorted(explanations, key=lambda one: -one.chance):
        key = without_keeps(one.lines)
        chances[key] = chances.get(key, 0.0) + one.chance
        texts.setdefault(key, one.lines)
    total = sum(chances.values())
    if not total or chances[without_keeps(explained)] >= sure * total:
        return []
    first = without_keeps(explained)
    order = [first, *sorted((key for key in chances if key != first), key=lambda key: -chances[key])]
    order = [key for key in order if key == first or chances[key] >= WORTH_ASKING * total]
    stories = [Explanation(texts[key], chances[key] / total) for key in order]
    return [asked for place, parts in _parts(stories) for asked in _about_part(place, parts, sure)]


def which(answers: Sequence[Events]) -> Sentence:
    """The sentence that asks for one of these answers."""
    if len(answers) < 2:
        return said(UNSEEN)
    used = [_cards(answer) for answer in answers]
    if all(used) and len({card for some in used for card in some}) > 1:
        return which_card(card for some in used for card in some)
    if len(answers[0]) == len(answers[1]) == 1 and _shape(answers[0][0]) == _shape(answers[1][0]):
        return said(WHICH_VALUE, first=answers[0][0][2:], second=answers[1][0][2:])
    return said(WHAT_HAPPENED, first=", ".join(answers[0]), second=", ".join(answers[1]) or "–")


def _parts(stories: Sequence[Explanation]) -> Iterator[tuple[int, list[Explanation]]]:
    """The parts in which explanations differ: the index where each begins in the first one, and that part of each. In
    the first explanation no part is empty, because a question is about lines."""
    common = without_keeps(stories[0].lines)
    likely = sum(story.chance >= LIKELY for story in stories[1:]) + 1
    for story in stories[1 : max(likely, 2)]:
        common = _shared(common, without_keeps(story.lines))
    fit = [story for story in stories if _shared(without_keeps(story.lines), common) == common]
    split = [_split(story.lines, common) for story in fit]
    gaps = len(common) + 1
    place = gap = 0
    while gap < gaps:
        parts, first = [one[gap] for one in split], gap
        while not parts[0] and _differ(parts) and gap + 1 < gaps:  # the next event belongs to it
            parts = [(*part, common[gap], *one[gap + 1]) for part, one in zip(parts, split, strict=True)]
            gap += 1
        if not parts[0] and _differ(parts) and first:  # the event before belongs to it
            parts, place = [(common[first - 1], *part) for part in parts], place - 1
        if parts[0] and _differ(parts):
            yield place, [Explanation(part, one.chance) for part, one in zip(parts, fit, strict=True)]
        place += len(parts[0]) + 1
        gap += 1


def _about_part(place: int, parts: Sequence[Explanation], sure: float) -> Iterator[Doubt]:
    """The question about a part; one for each card where its likeliest versions differ in cards only."""
    begin, end = _ends([part.lines for part in parts])
    chances: dict[Events, float] = {}
    for part in parts:
        its = part.lines[begin : len(part.lines) - end]
        chances[its] = chances.get(its, 0.0) + part.chance
    best, *others = chances
    chance = chances[best] / sum(chances.values())
    if chance >= sure:
        return
    different = [best, *sorted(others, key=lambda its: -chances[its])]
    courses = tuple(Explanation(its, chances[its]) for its in different)
    alike = [part for part in different if _kept(part) == _kept(best) and _verbs(part) == _verbs(best)]
    if len(without_keeps(best)) > 1 and alike[:FIRST] == different[:FIRST]:
        at = [i for i, event in enumerate(best) if _verb(event) != "keep"]
        for i, events in zip(at, zip(*map(without_keeps, alike), strict=True), strict=True):
            found = tuple((event,) for event in dict.fromkeys(events))[:MOST_ANSWERS]
            if len(found) > 1:
                yield Doubt(Question(which(found), (place + begin + i,), found), chance, place + begin, courses)
        return
    answers = tuple(spread(different))[:MOST_ANSWERS]
    asked = Question(which(answers), tuple(range(place + begin, place + begin + len(best))), answers)
    yield Doubt(asked, chance, place + begin, courses)


def _differ(parts: Sequence[Events]) -> bool:
    """Whether these parts differ in more than when dice were set aside."""
    return len(set(map(without_keeps, parts))) > 1


def _shared(one: Events, other: Events) -> Events:
    """The longest common subsequence of two sequences of events."""
    best: list[list[Events]] = [[()] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, event in enumerate(one):
        for j, also in enumerate(other):
            longer = max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = (*best[i][j], event) if event == also else longer
    return best[-1][-1]


def _split(story: Events, common: Events) -> list[Events]:
    """The events before, between and after the common ones."""
    found: list[Events] = []
    rest = story
    for event in common:
        at = rest.index(event)
        found.append(rest[:at])
        rest = rest[at + 1 :]
    return [*found, rest]


def _ends(parts: Sequence[Events]) -> tuple[int, int]:
    """The numbers of events that all parts share at the start and at the end. At least one event of the first part is
    left."""
    shortest, begin, end = min(map(len, parts)), 0, 0
    while begin < min(shortest, len(parts[0]) - 1) and len({part[begin] for part in parts}) == 1:
        begin += 1
    while end < min(shortest, len(parts[0]) - 1) - begin and len({part[-1 - end] for part in parts}) == 1:
        end += 1
    return begin, end


def _cards(answer: Events) -> tuple[str, ...]:
    return tuple(event.split()[2] for event in answer if _verb(event) == "use")


def _shape(event: str) -> tuple[object, ...]:
    """A roll without its faces."""
    words = event.split()
    begin = words.index(">") if ">" in words else 2
    return (*words[:begin], len(words)) if words[1] in ("roll", "use") else (event,)


def _verb(event: str) -> str:
    return event.split()[1]


def _kept(part: Events) -> Counter[str]:
    return Counter(die for event in part if _verb(event) == "keep" for die in event.split()[2:])


def _verbs(part: Events) -> list[str]:
    return [_verb(event) for event in without_keeps(part)]
