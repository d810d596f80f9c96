"""Builds one question for each part in which the explanations differ from the record, with ranked answers.

An explanation is one course of the running turn as the record writes it, with its probability. Explanations that
differ only in when dice were set aside are merged. Events shared by all of them are final. Where they differ, a
question is asked if the recorded version is not likely enough. Its probability is the sum over the explanations that
contain it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.game.changes import Question, Sentence
from companion.game.moves import Move, Moves, move_texts, without_keeps
from companion.game.referee.alike import FIRST, spread
from companion.game.referee.sentences import UNSEEN, WHAT_HAPPENED, WHICH_VALUE, message, which_card
from engine.games import Game

ASK_BELOW = 0.98  # chance below which a part is asked about when its turn is over
URGENT = 0.75  # chance below which it is asked about at once; above it the rest of the turn may settle it
SURE_DIE = 0.95  # chance below which the faces of a roll are asked about
LIKELY = 0.02  # chance below which an explanation does not define the parts
WORTH_ASKING = 0.01  # chance below which an answer is not offered
MAX_ANSWERS = 6


class Explanation(NamedTuple):
    """One course of the turn: its events, as the record writes them, and its chance, 0..1."""

    lines: Moves
    chance: float


class PossibleQuestion(NamedTuple):
    """A question that may be asked.

    Attributes:
        lines: Places of the uncertain lines.
        answers: Alternatives for these lines; the first is or will be on record.
        chance: Of the first answer, 0..1.
        place: Place of the first line of `courses`.
        courses: Possible courses from `place` on, as far as explanations differ. The first is or will be on record.
            Empty if unknown.
        matters: Another answer leads to another game.
    """

    lines: tuple[int, ...]
    answers: tuple[Moves, ...]
    chance: float
    place: int = 0
    courses: tuple[Explanation, ...] = ()
    matters: bool = True

    def question(self, game: Game) -> Question:
        """The question as the journal keeps it."""
        answers = tuple(move_texts(game, answer) for answer in self.answers)
        return Question(which(game, self.answers), self.lines, answers, matters=self.matters)


def questions(explained: Moves, explanations: Iterable[Explanation]) -> list[PossibleQuestion]:
    """The doubts about `explained`, which is or will be on record; `lines` of a doubt are indices into it.

    Args:
        explanations: All explanations that the filter holds, with or without `explained`.
    """
    chances: dict[Moves, float] = {without_keeps(explained): 0.0}
    whole: dict[Moves, Moves] = {without_keeps(explained): explained}
    for one in sorted(explanations, key=lambda one: -one.chance):
        key = without_keeps(one.lines)
        chances[key] = chances.get(key, 0.0) + one.chance
        whole.setdefault(key, one.lines)
    total = sum(chances.values())
    if not total or chances[without_keeps(explained)] >= ASK_BELOW * total:
        return []
    first = without_keeps(explained)
    order = [first, *sorted((key for key in chances if key != first), key=lambda key: -chances[key])]
    order = [key for key in order if key == first or chances[key] >= WORTH_ASKING * total]
    stories = [Explanation(whole[key], chances[key] / total) for key in order]
    return [asked for place, parts in _parts(stories) for asked in _about_part(place, parts)]


def which(game: Game, answers: Sequence[Moves]) -> Sentence:
    """The sentence that asks for one of these answers."""
    if len(answers) < 2:
        return message(UNSEEN)
    used = [_cards(answer) for answer in answers]
    if all(used) and len({card for some in used for card in some}) > 1:
        return which_card(card for some in used for card in some)
    if len(answers[0]) == len(answers[1]) == 1 and _shape(answers[0][0]) == _shape(answers[1][0]):
        first, second = (game.event_text(answer[0].event) for answer in answers[:2])
        return message(WHICH_VALUE, first=first, second=second)
    first, second = (", ".join(move_texts(game, answer)) for answer in answers[:2])
    return message(WHAT_HAPPENED, first=first, second=second or "–")


def _parts(stories: Sequence[Explanation]) -> Iterator[tuple[int, list[Explanation]]]:
    """Yields each part in which the explanations differ: the index of its first line in the first explanation, and the
    part of every explanation. In the first explanation no part is empty, because a question is about lines."""
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
        while gap + 1 < gaps and _goes_on(parts, [one[gap + 1] for one in split]):  # it extends to the next event
            parts = [(*part, common[gap], *one[gap + 1]) for part, one in zip(parts, split, strict=True)]
            gap += 1
        if not parts[0] and _differ(parts) and first:  # it extends to the previous event
            parts, place = [(common[first - 1], *part) for part in parts], place - 1
        if parts[0] and _differ(parts):
            yield place, [Explanation(part, one.chance) for part, one in zip(parts, fit, strict=True)]
        place += len(parts[0]) + 1
        gap += 1


def _about_part(place: int, parts: Sequence[Explanation]) -> Iterator[PossibleQuestion]:
    """The question about a part; one for each card where its likeliest versions differ in cards only."""
    begin, end = _ends([part.lines for part in parts])
    chances: dict[Moves, float] = {}
    for part in parts:
        lines = part.lines[begin : len(part.lines) - end]
        chances[lines] = chances.get(lines, 0.0) + part.chance
    best, *others = chances
    chance = chances[best] / sum(chances.values())
    if chance >= ASK_BELOW:
        return
    different = [best, *sorted(others, key=lambda lines: -chances[lines])]
    courses = tuple(Explanation(lines, chances[lines]) for lines in different)
    alike = [part for part in different if _kept(part) == _kept(best) and _verbs(part) == _verbs(best)]
    if len(without_keeps(best)) > 1 and alike[:FIRST] == different[:FIRST]:
        at = [i for i, move in enumerate(best) if move.verb != "keep"]
        for i, events in zip(at, zip(*map(without_keeps, alike), strict=True), strict=True):
            found = tuple((event,) for event in dict.fromkeys(events))[:MAX_ANSWERS]
            if len(found) > 1:
                yield PossibleQuestion((place + begin + i,), found, chance, place + begin, courses)
        return
    answers = tuple(spread(different))[:MAX_ANSWERS]
    place += begin
    yield PossibleQuestion(tuple(range(place, place + len(best))), answers, chance, place, courses)


def _goes_on(parts: Sequence[Moves], following: Sequence[Moves]) -> bool:
    """Whether a difference continues in the following part: the first explanation has nothing here, or has here
    what another has later."""
    if not _differ(parts):
        return False
    here, there = ([without_keeps(one) != without_keeps(some[0]) for one in some] for some in (parts, following))
    return not parts[0] or (here == there and not all(without_keeps(one) for one in parts))


def _differ(parts: Sequence[Moves]) -> bool:
    """Whether these parts differ in more than when dice were set aside."""
    return len(set(map(without_keeps, parts))) > 1


def _shared(one: Moves, other: Moves) -> Moves:
    """The longest common subsequence of two sequences of events."""
    best: list[list[Moves]] = [[()] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, event in enumerate(one):
        for j, also in enumerate(other):
            longer = max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = (*best[i][j], event) if event == also else longer
    return best[-1][-1]


def _split(story: Moves, common: Moves) -> list[Moves]:
    """The events before, between and after the common ones."""
    found: list[Moves] = []
    rest = story
    for event in common:
        at = rest.index(event)
        found.append(rest[:at])
        rest = rest[at + 1 :]
    return [*found, rest]


def _ends(parts: Sequence[Moves]) -> tuple[int, int]:
    """The numbers of events that all parts share at the start and at the end. At least one event of the first part is
    left."""
    shortest, begin, end = min(map(len, parts)), 0, 0
    while begin < min(shortest, len(parts[0]) - 1) and len({part[begin] for part in parts}) == 1:
        begin += 1
    while end < min(shortest, len(parts[0]) - 1) - begin and len({part[-1 - end] for part in parts}) == 1:
        end += 1
    return begin, end


def _cards(answer: Moves) -> tuple[str, ...]:
    return tuple(move.event.card for move in answer if move.verb == "use")


def _shape(move: Move) -> tuple[object, ...]:
    """A roll, or the use of a card, without its faces."""
    match move.verb:
        case "roll":
            return move.seat, move.verb, len(move.event.dice)
        case "use":
            event = move.event
            return move.seat, event.card, event.before, len(event.after)
    return (move,)


def _kept(part: Moves) -> Counter[int]:
    return Counter(die for move in part if move.verb == "keep" for die in move.event.dice)


def _verbs(part: Moves) -> list[str]:
    return [move.verb for move in without_keeps(part)]
