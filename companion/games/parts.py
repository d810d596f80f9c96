"""Parts of a board that all games share: the record, questions, uncertain lines, errors after a correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.advice.budget import Chances
from companion.game.changes import Line, Question, Sentence
from companion.game.record_line import RecordLine
from companion.game.referee.sentences import WHAT_HAPPENED, WHICH_CARD, WHICH_VALUE
from engine.dice import Faces
from engine.errors import CourtsideError
from engine.events import read_keep
from vision.types import SeenDie

AnnouncementKind = Literal["gain", "none", "alert", "great"]
"""The sound of an announcement: a player gets something or nothing, must react, or a great moment."""
Announcement = tuple[Sentence, AnnouncementKind]
Group = Literal["dice", "use", "take", "other"]
# The dice that a choice names: those an event was used on, what they became ("after"), or both.
Needs = Literal["", "dice", "after", "both"]
LineChoice = tuple[str, Group, Needs, bool]
"""An alternative to a line: its text before the dice, its group in the dialog, the dice it needs, its legality."""


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question as the page asks it.

    Attributes:
        short: The sentence without the quoted answers.
        answers: The likeliest first, each without the lines that all answers share; () means nothing happened.
    """

    number: int
    sentence: Sentence
    short: Sentence
    answers: tuple[tuple[RecordLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """The first line that a correction has made illegal, and why."""

    number: int
    event: str
    error: CourtsideError


RecordLines = Callable[[Sequence[Line], Mapping[str, str]], tuple[RecordLine, ...]]
"""Lines of the record, the name of each seat → the lines as a page lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The fields that every board has.

    Attributes:
        winner: Name, or the names of all players who tie; None while the game is running.
        seat, name: The player on turn.
    """

    version: str
    round: int
    winner: str | None
    tie: bool
    seat: str
    name: str
    players: tuple[Any, ...]
    lines: tuple[RecordLine, ...]
    questions: tuple[QuestionForm, ...]
    problem: Problem | None
    advice: tuple[Sentence, ...] = ()
    why_not: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """One version of a game, from which its board is arranged.

    Attributes:
        names: In seat order.
        seen: Dice in the camera's view.
        chances: The advice computed so far; None if there is none yet.
        advised: Whether the board may mark the best choice. Visitors can postpone advice or turn it off.
    """

    id: str
    state: Any
    names: Sequence[str]
    lines: Sequence[Line] = ()
    questions: Sequence[Question] = ()
    problem: Problem | None = None
    seen: Sequence[SeenDie] = ()
    chances: Chances | None = None
    advised: bool = True

    @property
    def names_by_seat(self) -> dict[str, str]:
        """The name of each seat."""
        return dict(zip(self.state.seats, self.names, strict=True))

    def common_fields(self, record_lines: RecordLines) -> dict[str, Any]:
        """The fields of `Board`, without the players."""
        names_by_seat, advice = self.names_by_seat, self.chances or Chances()
        forms = [(question, question_form(question, record_lines, names_by_seat)) for question in self.questions]
        doubts = {one.lines[0]: form.answers[1] for one, form in forms if not one.matters}
        lines = record_lines(self.lines, names_by_seat)
        return {
            "version": self.id,
            "round": self.state.round,
            "winner": " & ".join(names_by_seat[seat] for seat in self.state.winners) or None,
            "tie": len(self.state.winners) > 1,
            "seat": self.state.seat,
            "name": names_by_seat[self.state.seat],
            "lines": tuple(replace(line, instead=doubts.get(line.number)) for line in lines) if doubts else lines,
            "questions": tuple(form for one, form in forms if one.matters),
            "problem": self.problem,
            "advice": advice.advice,
            "why_not": advice.why_not,
        }


def question_form(question: Question, record_lines: RecordLines, names_by_seat: Mapping[str, str]) -> QuestionForm:
    """A question as a page asks it."""
    answers = (record_lines([Line(0, event, "camera") for event in one], names_by_seat) for one in question.answers)
    plain = [tuple(replace(line, begins_turn=False) for line in answer) for answer in answers]
    return QuestionForm(question.number, question.sentence, short(question.sentence), differences(plain))


def record_line(line: Line, names_by_seat: Mapping[str, str], **named: Any) -> RecordLine:
    """A line of the record as a page lists it. `named` has the values of its event, by attribute of `RecordLine`."""
    found = {"verb": line.move.split()[0], "card": None, "before": (), "dice": (), "begins_turn": True} | named
    name = names_by_seat.get(line.seat, line.seat)
    return RecordLine(number=line.number, seat=line.seat, name=name, by=line.by, confidence=line.confidence, **found)


def win_announcement(state: Any) -> Announcement:
    """The announcement at the end of a game."""
    if len(state.winners) > 1:
        return Sentence("The game ends in a tie."), "great"
    return Sentence("{seat} wins the game.", {"seat": state.winners[0]}), "great"


def indices_of(dice: Faces, wanted: Faces) -> frozenset[int]:
    """The indices of the wanted dice in `dice`."""
    remaining, found = list(wanted), set()
    for place, face in enumerate(dice):
        if face in remaining:
            remaining.remove(face)
            found.add(place)
    return frozenset(found)


def kept_before(lines: Sequence[Line]) -> Faces:
    """The dice that stayed for the last roll, if that is the last event; most players keep them again."""
    if len(lines) < 2 or not lines[-1].move.startswith("roll"):
        return ()
    verb, *words = lines[-2].move.split()
    return read_keep(words).dice if verb == "keep" and lines[-2].seat == lines[-1].seat else ()


def second_guesses(faces: Faces, seen: Sequence[SeenDie]) -> tuple[Faces, ...]:
    """For each die its alternative faces, the likeliest first; () if the camera has not seen it."""
    waiting, found = list(seen), []
    for face in faces:
        die = next((die for die in waiting if die.value == face), None)
        if die is not None:
            waiting.remove(die)
        chances = die.probabilities if die else ()
        others = [other for other in range(1, 7) if chances and other != face]
        found.append(tuple(sorted(others, key=lambda other: -chances[other - 1])))
    return tuple(found)


def matches_search(search: str, *texts: str) -> bool:
    """Whether all words of a search occur in these texts."""
    text = " ".join(texts).casefold()
    return all(word in text for word in search.casefold().split())


Answer = tuple[RecordLine, ...]
# The referee's sentences quote the answers for speech output. On the page the answers follow as buttons.
_SHORT = {
    WHICH_CARD: Sentence("Which card was it?"),
    WHAT_HAPPENED: Sentence("What happened?"),
    WHICH_VALUE: Sentence("What do the dice show?"),
}


def short(sentence: Sentence) -> Sentence:
    """The sentence without the answers that it quotes."""
    return _SHORT.get(sentence.template, sentence)


def differences(answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers without the lines, words and dice that all of them share, in the same order.

    A line reduced to its dice or card has the verb "".
    """
    if len(answers) < 2:
        return tuple(answers)
    before = _common_prefix(answers)
    after = _common_prefix([answer[before:][::-1] for answer in answers])
    remaining = [answer[before : len(answer) - after] for answer in answers]
    if any(len(answer) != 1 for answer in remaining):
        return tuple(remaining)
    lines = [answer[0] for answer in remaining]
    return tuple((line,) for line in _without_shared_parts(lines))


def _common_prefix(answers: Sequence[Answer]) -> int:
    """Number of first lines that all answers share."""
    count = 0
    for lines in zip(*answers, strict=False):
        if any(line != lines[0] for line in lines):
            break
        count += 1
    return count


def _without_shared_parts(lines: list[RecordLine]) -> list[RecordLine]:
    first = lines[0]
    if all(replace(line, dice=first.dice) == first for line in lines):
        dice = _without_common_dice([line.dice for line in lines])
        return [replace(line, verb="", card=None, dice=own) for line, own in zip(lines, dice, strict=True)]
    if first.card and all(replace(line, card=first.card) == first for line in lines):
        return [replace(line, verb="", before=(), dice=()) for line in lines]
    return lines


def _without_common_dice(dice: Sequence[Faces]) -> list[Faces]:
    """Each set of dice without the dice common to all; unchanged if one would become empty."""
    shared = [face for face in range(1, 7) for _ in range(min(hand.count(face) for hand in dice))]
    found = []
    for hand in dice:
        remaining = list(hand)
        for face in shared:
            remaining.remove(face)
        found.append(tuple(remaining))
    return found if all(found) else list(dice)
