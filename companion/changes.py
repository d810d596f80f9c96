"""What is done to a running game, as values that can be written down: lines, changes, doubts, sentences.

Every change of a game is one splice: at `index` the lines `was` made way for the lines `now`. Entering, inserting,
correcting, removing, undoing, redoing and answering a doubt differ in `kind` only, so a journal can fold a game
from its changes without knowing any rules, and undoing a change is the same splice the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

By = Literal["camera", "person"]
Kind = Literal["enter", "insert", "replace", "remove", "undo", "redo", "answer"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence for the players: an English template, which is also the id for translations, and what goes into
    it."""

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


@dataclass(frozen=True, slots=True)
class Line:
    """One event of the game and who says so.

    number: names the line for good, also when lines are inserted before it; event: the seat's letter and the
    event's text; confidence: the camera's, 0..1; frame, seconds: when the camera saw it; corrects: the text a
    person replaced; remarks: what the record carries in braces.
    """

    number: int
    event: str
    by: By
    confidence: float | None = None
    frame: int | None = None
    seconds: float | None = None
    corrects: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def seat(self) -> str:
        """The letter of the seat the event belongs to."""
        return self.event[0]

    @property
    def move(self) -> str:
        """The event's text without the seat."""
        return self.event[2:]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Lines the camera recorded without being sure, and what they may be instead, likeliest first.

    lines: numbers of the lines in question, adjacent in the record; answers[0] is what stands there now, each
    answer a tuple of event texts (seat and event) that takes the place of all those lines. An empty answer means:
    none of this happened.
    """

    number: int
    sentence: Sentence
    lines: tuple[int, ...]
    answers: tuple[tuple[str, ...], ...]
    frame: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the game: at `index` of the record, the lines `was` made way for `now`.

    number: 1, 2, 3 … without gaps; by: who did it; doubts: raised with it; settles: numbers of doubts a person
    answered with what stands there already.
    """

    number: int
    kind: Kind
    by: By
    index: int
    was: tuple[Line, ...]
    now: tuple[Line, ...]
    doubts: tuple[Doubt, ...] = ()
    settles: tuple[int, ...] = ()

    def body(self) -> dict[str, Any]:
        """As plain data for JSON; `Change.read` is the way back."""
        return asdict(self)

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Change:
        """The change that `body` describes. Raises KeyError or TypeError when it describes none."""
        return cls(
            number=body["number"],
            kind=body["kind"],
            by=body["by"],
            index=body["index"],
            was=tuple(map(_read_line, body["was"])),
            now=tuple(map(_read_line, body["now"])),
            doubts=tuple(_read_doubt(doubt) for doubt in body["doubts"]),
            settles=tuple(body["settles"]),
        )


def _read_line(body: Mapping[str, Any]) -> Line:
    return Line(**{**body, "remarks": tuple(body["remarks"])})


def _read_doubt(body: Mapping[str, Any]) -> Doubt:
    return Doubt(
        number=body["number"],
        sentence=Sentence(**body["sentence"]),
        lines=tuple(body["lines"]),
        answers=tuple(tuple(answer) for answer in body["answers"]),
        frame=body["frame"],
        seconds=body["seconds"],
    )


class Journal(Protocol):
    """Where changes are kept for good."""

    def commit(self, change: Change) -> None:
        """Returns when the change is durable. Any exception means it is not, and then nobody gets to see it."""
        ...


class Unkept(RuntimeError):
    """The journal did not take the change, so it was not made; the message is one sentence for the players."""
