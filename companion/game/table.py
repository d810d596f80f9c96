"""The current game: every change goes through `Table`.

`Table` is thread-safe. What people enter and what the camera sees becomes a `Change`, is written to the journal, and
only then becomes visible. `version` counts everything visible, and `wait` blocks until it has grown. A game is rebuilt
from its record's header and its changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from companion.game.changes import By, Change, Journal, Kind, NotSaved, Sentence
from companion.game.consequences import Consequences
from companion.game.corrections.beforehand import what_comes_before
from companion.game.corrections.misread import Fix, misread_die
from companion.game.corrections.trial import tried_out
from companion.game.corrections.writing import answer_lines, change_of, follow_up, lines_of, replacing
from companion.game.referee import Referee
from companion.game.referee.card_marks import CardMarks
from companion.game.referee.sentences import NO_FIT, message
from companion.game.referee.verdict import Correction, Verdict
from companion.game.table_view import TableView
from companion.game.timeline import Timeline, after, canonical
from engine.dice import Faces
from engine.errors import CourtsideError, Illegal
from engine.record import Record
from vision.types import Reading

MAX_CHANGES_PER_READING = 3  # maximum number of changes from one reading
Permit = Callable[[Change], None]  # raises Illegal if this person may not make the change


def _allow_any(_: Change) -> None:
    """The default permission: the host may make every change."""


class Table(TableView):
    """One game. Methods that change it raise Illegal or Unreadable (a reason in the players' words) or Unkept."""

    def __init__(
        self,
        record: Record,
        referee: Referee | None = None,
        journal: Journal | None = None,
        changes: Iterable[Change] = (),
    ) -> None:
        """A game that starts with `record` (a header, or a game so far) and continues with `changes`."""
        super().__init__(record, changes)
        self._referee = referee
        self._journal = journal
        self._game_version = self._person_version = 0
        self._last_dice: tuple[Faces, Faces, int] | None = None  # the dice last seen at rest: active, kept, idle

    # What people do

    def enter(
        self,
        event: str,
        by: By = "person",
        at: int | None = None,
        expected_version: int | None = None,
        late: bool = False,
        sure: float | None = None,
    ) -> Change:
        """Records an event such as "A buy farmer".

        Without `at`, it is the next event. In the same change the preview becomes final and implied events are added
        (`Game.implied`): buying a card sets the remaining dice aside. If that is illegal but a past turn of this seat
        is open for it, it is inserted there, unless a later event would become illegal. Otherwise the record is
        corrected to the likeliest history that allows a person's event, in a change before.

        Args:
            at: Number of the line to insert it before; None for where it fits.
            expected_version: The version the person saw; refused if another person has changed the game since.
            late: Try the past turn first.
            sure: The camera's confidence, 0..1.
        """
        with self._changed:
            if at is not None:
                return self.insert(event, at, by, expected_version)
            self._check_person_version(expected_version)
            self._game_log.timeline.require_legal()
            book = self._game_log
            event = canonical(book.game, event)
            if self._referee is not None and book.game.ends_turn(book.game.read_event(event[2:])):
                self._take(self._referee.until_now(book.timeline))
            place = book.timeline.place(event) if late else None
            before = (Verdict(), ()) if place is not None else self._before(event)
            if before is None:
                place = book.timeline.place(event)
                corrected = place is None and by == "person" and self._corrected_for(event)
                before = (self._before(event) if corrected else None) or (Verdict(), ())
                if place is None and not corrected:
                    after(book.game, self.preview_state, event)  # raises with a reason for the players
            seen, unsaid = before
            lines = lines_of(seen.findings, book, self._frame_time())
            kind: Kind = "enter" if place is None else "insert"
            index = len(self.lines) if place is None else place
            new = [*lines, *(book.line(one, by) for one in unsaid), book.line(event, by, sure)]
            return self._commit(book.change(kind, by, index, 0, new, require_legal=True))

    def refusal(self, event: str) -> CourtsideError | None:
        """Why `enter` would refuse this event now; None if it would not. Changes nothing."""
        with self._changed:
            book = self._game_log
            try:
                self._game_log.timeline.require_legal()
                event = canonical(book.game, event)
                if self._before(event) is None and book.timeline.place(event) is None:
                    after(book.game, self.preview_state, event)
            except CourtsideError as error:
                return error
            return None

    def misread_for(self, event: str) -> tuple[Fix, ...]:
        """The likeliest corrections of one die of this turn that make a refused purchase legal."""
        with self._changed:
            return misread_die(self._game_log.branch(self.lines), event, self.in_sight)

    def _before(self, event: str) -> tuple[Verdict, tuple[str, ...]] | None:
        """Events that make `event` legal: the preview, and implied ones. None if nothing does."""
        referee = None if self.reading is None else self._referee
        return what_comes_before(self._game_log.timeline, referee, self._verdict, event)

    def _corrected_for(self, event: str) -> bool:
        """Corrects the record to the likeliest history that allows this event; False if there is none."""
        book, before = self._game_log, len(self._game_log.changes)
        if self._referee is not None and book.game.ends_turn(book.game.read_event(event[2:])):
            self._take(self._referee.ending(book.timeline, event))
        return len(book.changes) > before

    def insert(self, event: str, before: int | None, by: By = "person", expected_version: int | None = None) -> Change:
        """Inserts an event before the line of this number (None: at the end). Later lines stay, see `broken`."""
        with self._changed:
            self._check_person_version(expected_version)
            place = len(self.lines) if before is None else self._game_log.place(before)
            return self._commit(self._game_log.change("insert", by, place, 0, [self._game_log.line(event, by)]))

    def replace(self, number: int, event: str, by: By = "person", expected_version: int | None = None) -> Change:
        """Corrects a line. Refused if its number is gone, because another person has changed it.

        Later lines stay; those that were wrong only because of it (a misread die set aside) are corrected too.
        """
        with self._changed:
            self._check_person_version(expected_version)
            return self._correct("replace", replacing(self._game_log, number, event, by), by)

    def remove(self, number: int) -> Change:
        """Removes a line. Refused if another person has changed it. Later lines stay, see `broken`."""
        with self._changed:
            return self._commit(self._game_log.change("remove", "person", self._game_log.place(number), 1, []))

    def preview_change(self, kind: Kind, number: int, event: str = "") -> Consequences:
        """The consequences of replacing or removing the line of this number, or of inserting `event` before it.
        Changes nothing; raises as the change itself would."""
        with self._changed:
            return tried_out(self._game_log.branch(self.lines), kind, number, event)

    def require_current(self, version: int | None) -> None:
        """Refuses if another person has changed the game since this version; None skips the check."""
        with self._changed:
            self._check_person_version(version)

    def undo(self, by: By = "person", expected_version: int | None = None, permit: Permit = _allow_any) -> Change:
        """Undoes the last change. `permit` may refuse it."""
        with self._changed:
            self._check_version(expected_version)
            change = self._game_log.undo_change(by)
            permit(change)
            return self._commit(change)

    def redo(self, by: By = "person", expected_version: int | None = None, permit: Permit = _allow_any) -> Change:
        """Redoes the last undone change. `permit` may refuse it."""
        with self._changed:
            self._check_version(expected_version)
            change = self._game_log.redo_change(by)
            permit(change)
            return self._commit(change)

    def answer(self, question: int, choice: int, by: By = "person") -> Change:
        """Settles a question with one of its answers; 0 confirms what is recorded."""
        with self._changed:
            book = self._game_log
            asked = next((open_ for open_ in book.questions if open_.number == question), None)
            if asked is None:
                raise Illegal("this question is no longer open")
            if not 0 <= choice < len(asked.answers):
                raise Illegal("choose an answer from 1 to {count}", count=len(asked.answers))
            place, count = book.place(asked.lines[0]), len(asked.lines)
            was = self.lines[place : place + count]
            if choice == 0:
                return self._commit(book.change("answer", by, place, count, was, settles=(question,)))
            now = answer_lines(book, was, asked.answers[choice], by)
            recomputed = self._referee.recomputed(book, asked, now) if self._referee is not None else None
            return self._correct("answer", recomputed or follow_up(book, place, was, now, by, asked), by)

    def _correct(self, kind: Kind, right: Correction, by: By) -> Change:
        change = self._game_log.change(kind, by, right.place, right.removed, right.lines, questions=right.questions)
        return self._commit(change)

    # What the camera does

    def see(self, reading: Reading) -> None:
        """Lets the referee explain a reading; certain events are recorded. If the journal fails, the notices say so."""
        with self._changed:
            self.reading, self.in_sight = reading, reading.dice
            played = reading
            referee = self._referee
            if referee is not None:
                self._take_all(lambda timeline: referee.judge(timeline, reading))
                self.reading = played = referee.played(reading)
            self._idle = len(reading.dice) - len(played.dice)
            dice = (played.active, played.kept, self._idle)
            if reading.settled and dice != self._last_dice:
                self._last_dice = dice  # the page shows their alternative faces when a line is corrected
                self._notify()

    def see_cards(self, marks: CardMarks) -> None:
        """Passes the marks of the turned cards to the referee, as evidence of what was done with the dice."""
        with self._changed:
            if self._referee is not None:
                self._referee.see_cards(marks)

    def note_dice_before(self, reading: Reading) -> None:
        """Sets the last reading before this game started: those dice count once they are rolled."""
        with self._changed:
            if self._referee is not None and not self.lines:
                self._referee.note_dice_before(self._game_log.timeline, reading)

    def watch_restarted(self) -> None:
        """Forgets what was seen but is not on record, after the watcher has restarted."""
        with self._changed:
            self._verdict, self._last_dice = Verdict(), None
            if self._referee is not None:
                self._referee.watch_restarted(self._game_log.timeline)
            self._notify()

    def finish(self) -> None:
        """Makes everything final at the end of the source."""
        with self._changed:
            if self._referee is not None:
                self._take_all(self._referee.finish)

    def _take_all(self, judge: Callable[[Timeline], Verdict]) -> None:
        """Lets the referee judge until it has nothing more to record, because one roll may follow from another."""
        for _ in range(MAX_CHANGES_PER_READING):
            changes = len(self._game_log.changes)
            if self.broken is None:
                self._take(judge(self._game_log.timeline))
            if len(self._game_log.changes) == changes:
                return

    def _take(self, verdict: Verdict) -> None:
        if verdict.findings:
            assert self._referee is not None
            try:
                change = self._commit(change_of(verdict, self._game_log, self._frame_time()))
            except NotSaved as error:
                if self._journal_error is None:
                    self._journal_error = Sentence("{why}", {"why": str(error)})
                    self._notify()
                return  # the referee was not informed that it is on record, so it will report it again
            except CourtsideError:
                self._referee.refused(self._game_log.timeline)
                verdict = Verdict(notices=(message(NO_FIT),))
            else:
                self._referee.recorded(self._game_log.timeline, change.questions)
        self._settle(verdict.cleared)
        if (verdict.preview, verdict.notices) != (self._verdict.preview, self._verdict.notices):
            self._verdict = verdict
            self._notify()

    def _settle(self, cleared: frozenset[int]) -> None:
        """Settles the questions about lines that later readings have confirmed."""
        book = self._game_log
        for asked in book.questions if cleared else ():
            if cleared.issuperset(asked.lines):
                place, count = book.place(asked.lines[0]), len(asked.lines)
                was = self.lines[place : place + count]
                with suppress(NotSaved):  # it is still open, and a player may answer it
                    self._commit(book.change("answer", "camera", place, count, was, settles=(asked.number,)))

    # The change is stored first, then applied and shown.

    def _commit(self, change: Change) -> Change:
        if self._journal is not None:
            try:
                self._journal.commit(change)
            except Exception as error:
                raise NotSaved(str(error)) from error
        self._journal_error = None
        self._game_log.apply(change)
        # What the camera saw between rolls was judged from the state before; the next reading judges it again.
        self._verdict = replace(self._verdict, preview=())
        self._notify()
        self._game_version = self.version
        if change.by == "person":
            self._person_version = self.version
        return change

    def _notify(self) -> None:
        self.version += 1
        self._changed.notify_all()

    def _frame_time(self) -> tuple[int, float] | None:
        return None if self.reading is None else (self.reading.frame, self.reading.seconds)

    def _check_version(self, version: int | None) -> None:
        if version is not None and version < self._game_version:
            raise Illegal("another player has just changed the game. Check it and try again")

    def _check_person_version(self, version: int | None) -> None:
        """Like `_check_version`, ignoring what the camera has recorded since: only people's changes conflict."""
        if version is not None and version < self._person_version:
            self._check_version(version)
