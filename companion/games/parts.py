"""Parts of a board that all games share: questions, uncertain lines, errors after a correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.game.changes import Question, Sentence
from companion.game.record_line import RecordLine
from engine.dice import Faces
from engine.errors import CourtsideError
from vision.types import SeenDie

AnnouncementKind = Literal["card", "none", "attack", "crown"]  # the sound of an announcement
Said = tuple[Sentence, AnnouncementKind]
Group = Literal["dice", "use", "take", "other"]
# The dice that a choice names; both: those an event was used on, and what they became.
Needs = Literal["", "dice", "after", "both"]
Offered = tuple[str, Group, Needs, bool]
"""What a line may say instead: its text up to the dice, its group in the dialog, which dice it needs, whether the rules
allow it there."""


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question with its answers, the likeliest first, each reduced to the lines that the others do not share; ()
    means nothing happened. `short` is the sentence without the quoted answers."""

    number: int
    sentence: Sentence
    short: Sentence
    answers: tuple[tuple[RecordLine, ...], ...]


def with_doubts(
    lines: tuple[RecordLine, ...], questions: Iterable[Question], form: Callable[[Question], QuestionForm]
) -> tuple[RecordLine, ...]:
    """The lines with the alternatives from questions that do not matter enough to ask."""
    doubts = {question.lines[0]: form(question).answers[1] for question in questions if not question.matters}
    return tuple(replace(line, instead=doubts[line.number]) if line.number in doubts else line for line in lines)


@dataclass(frozen=True, slots=True)
class Problem:
    """After a correction: the first line that is no longer legal, and why."""

    number: int
    event: str
    error: CourtsideError


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


def fits(search: str, *texts: str) -> bool:
    """Whether all words of a search occur in these texts."""
    text = " ".join(texts).casefold()
    return all(word in text for word in search.casefold().split())
