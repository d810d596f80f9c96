"""Records a game without a page: prints events as they come, and reads purchases from standard input.

Every typed line waits for its place: "A buy farmer" may be entered before, during or after A's turn is seen. It is
recorded as soon as that turn is over and can pay for it, lines of one seat in their order. So all lines of a file may
be given at once. A pass entered before its turn waits for that turn's dice, even where the rules allow a pass without a
roll.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.game.card_evidence import CardMessages
from companion.game.changes import Change, Line, Question, Sentence
from companion.game.table import Table
from companion.game.timeline import canonical, legal
from companion.resources import write_atomically
from engine.errors import CourtsideError
from vision.types import Reading


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line that waits for its place. `ahead`: it could not be recorded when it was typed."""

    event: str
    ahead: bool = False


class Recording:
    """A table whose changes are printed.

    Args:
        output: Receives a finished line of output.
        warn: Receives a sentence for people.
        as_json: Print JSON objects for other programs.
        file: The record, rewritten as a whole after every change.
        live: A typed line makes dice set aside final at once.
    """

    def __init__(
        self,
        table: Table,
        output: Callable[[str], None],
        warn: Callable[[str], None],
        *,
        as_json: bool = False,
        file: Path | None = None,
        live: bool = False,
    ) -> None:
        self.table = table
        self._output, self._warn = output, warn
        self._as_json, self._file, self._live = as_json, file, live
        self._printed_changes, self._ended = 0, False
        self._notices: tuple[Sentence, ...] = ()
        self._card_messages: tuple[str, ...] = ()
        self._typed: dict[str, deque[TypedLine]] = {}
        self._write()

    def see(self, reading: Reading) -> None:
        """Processes one reading, and typed lines whose place has come."""
        self.table.see(reading)
        self._enter_typed()
        self._print()
        notices = self.table.notices
        if reading.settled and notices != self._notices:
            for notice in notices:
                if notice not in self._notices:
                    self._print_notice(str(notice), {"frame": reading.frame, "seconds": _rounded(reading.seconds)})
            self._notices = notices

    def print_card_messages(self, cards: CardMessages) -> None:
        """Prints what the cards have recorded, and new questions and notices about them."""
        self._print()
        messages = tuple(str(one.sentence) for one in (*cards.questions, *cards.notices))
        for sentence in messages:
            if sentence not in self._card_messages:
                self._print_notice(sentence, {})
        self._card_messages = messages

    def typed(self, text: str) -> None:
        """Processes a typed line: an event with its seat, `answer N` for the last question, `undo` or `redo`."""
        words = text.lower().split()
        if not words:
            return
        try:
            if words[0] in ("undo", "redo", "answer"):
                self._command(words)
            else:
                event = canonical(self.table.replay.game, text)
                self._typed.setdefault(event[0], deque()).append(TypedLine(event))
                self._enter_typed()
                self._typed[event[0]] = deque(TypedLine(line.event, ahead=True) for line in self._typed[event[0]])
        except CourtsideError as error:
            self._warn(f"“{text.strip()}”: {error}")
        self._print()

    def finish(self) -> None:
        """Handles the end of the source: what was seen becomes final, and so do turns whose purchase was typed."""
        self.table.finish()
        self._live = self._ended = True
        self._enter_typed()
        for waiting in self._typed.values():
            for line in waiting:
                self._warn(f"“{line.event}” never had its place: {self._refusal(line.event)}")
        self._print()

    def _command(self, words: list[str]) -> None:
        if words[0] == "undo":
            self.table.undo()
        elif words[0] == "redo":
            self.table.redo()
        elif len(words) == 2 and words[1].isdigit() and self.table.questions:
            self.table.answer(self.table.questions[-1].number, int(words[1]) - 1)
        else:
            self._warn("say “answer 2” for the second answer of the last question; no question is open otherwise")

    def _enter_typed(self) -> None:
        again = True
        while again:
            again = False
            for waiting in self._typed.values():
                while waiting and self._try_to_enter(waiting[0]):
                    waiting.popleft()
                    again = True

    def _try_to_enter(self, line: TypedLine) -> bool:
        """Records the event if its place has come."""
        table, event = self.table, line.event
        for question in table.questions:  # the referee's guess equals the typed line
            if (event,) in question.answers:
                table.answer(question.number, question.answers.index((event,)))
                return True
        game = table.replay.game
        fits = legal(game, table.state, event) or (self._live and legal(game, table.preview_state, event))
        if line.ahead and not self._ended and fits and not self._turn_has_begun(event[0]):
            return False
        if table.broken is not None or not (fits or self._fits_past_turn(event)):
            return False
        try:
            table.enter(event, late=True)
        except CourtsideError as error:
            self._warn(f"“{event}”: {error}")
        return True

    def _turn_has_begun(self, seat: str) -> bool:
        """Whether it is this seat's turn and the record has an event of this turn."""
        last = self.table.lines[-1] if self.table.lines else None
        game = self.table.replay.game
        return last is not None and last.seat == seat and not game.ends_turn(game.read_event(last.move))

    def _fits_past_turn(self, event: str) -> bool:
        states, game = self.table.replay.states, self.table.replay.game
        return any(turn.seat == event[0] and legal(game, states[turn.index], event) for turn in self.table.open_turns)

    def _refusal(self, event: str) -> str:
        try:
            self.table.enter(event)
        except CourtsideError as error:
            return str(error)
        return "it was entered last"

    # Printing

    def _print(self) -> None:
        changes = self.table.changes
        for change in changes[self._printed_changes :]:
            self._print_change(change)
        if len(changes) > self._printed_changes:
            self._printed_changes = len(changes)
            self._write()

    def _print_change(self, change: Change) -> None:
        asked = {question.lines[0]: question for question in change.questions}
        for place, line in enumerate(change.now):
            question = asked.get(line.number)
            again = place < len(change.was) and change.was[place].event == line.event and line.by == "camera"
            if line not in change.was and (question is not None or not again):
                self._print_line(line, question, again)

    def _print_line(self, line: Line, question: Question | None, again: bool = False) -> None:
        """Prints a line. `again`: it was printed before and now has a question."""
        seen = self.table.reading
        entry: dict[str, object] = {
            "seat": line.seat,
            "event": None if again else line.move,
            "frame": line.frame if line.frame is not None or seen is None else seen.frame,
            "seconds": _rounded(line.seconds if line.seconds is not None or seen is None else seen.seconds),
            "by": line.by,
            "confidence": line.confidence,
        }
        if question is not None:
            entry["doubt"] = str(question.sentence)
            entry["answers"] = [", ".join(answer) for answer in question.answers]
        if self._as_json:
            self._output(json.dumps(entry, ensure_ascii=False))
            return
        sure = "" if line.confidence is None else f" {line.confidence:.2f}"
        if not again:
            self._output(f"{line.event:<32} {line.by}{sure}")
        if question is not None:
            self._output(f"  ? {question.sentence}")
            for number, answer in enumerate(question.answers, 1):
                self._output(f"    {number}  {', '.join(answer) or 'none of these happened'}")

    def _print_notice(self, sentence: str, seen: dict[str, object]) -> None:
        """Prints a sentence about the table. `seen`: when the camera saw the reason, for other programs."""
        if self._as_json:
            entry = {"seat": self.table.state.seat, "event": None} | seen
            entry |= {"by": "camera", "confidence": None, "doubt": sentence}
            self._output(json.dumps(entry, ensure_ascii=False))
        else:
            self._output(f"  ! {sentence}")

    def _write(self) -> None:
        if self._file is not None:
            write_atomically(self._file, self.table.replay.text().encode())


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 2)
