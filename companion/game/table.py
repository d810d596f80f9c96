"""The running game: the one door for every change, whoever makes it.

`Table` is safe to use from any thread. Whatever people enter and whatever the camera saw becomes a `Change`, is
handed to the journal, and only then becomes visible; `version` counts everything visible, and `wait` sleeps until
it has grown. A game is rebuilt by making a table from its record's header and its changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from companion.game.changes import By, Change, Journal, Kind, Sentence, Unkept
from companion.game.consequences import Consequences
from companion.game.corrections.beforehand import what_comes_before
from companion.game.corrections.told_by_purchase import told_by_purchase
from companion.game.corrections.trial import tried_out
from companion.game.corrections.writing import answer_lines, change_of, follow_up, lines_of, replacing
from companion.game.log import numbered
from companion.game.referee.card_marks import CardMarks
from companion.game.referee.sentences import NO_FIT, said
from companion.game.referee.verdict import Correction, Referee, Verdict
from companion.game.table_view import TableView
from companion.game.timeline import Timeline, after, canonical
from engine.dice import Faces
from engine.errors import CourtsideError, Illegal
from engine.record import Record
from vision.types import Reading

MOST_FINDINGS = 3  # changes one reading may lead to
Permit = Callable[[Change], None]  # raises Illegal when this person may not make the change


def _permitted(_: Change) -> None:
    """Who runs the game may make every change."""


class Table(TableView):
    """One running game. Methods that change it raise Illegal or Unreadable (a refusal in the players' words) or
    Unkept."""

    def __init__(
        self,
        record: Record,
        referee: Referee | None = None,
        journal: Journal | None = None,
        changes: Iterable[Change] = (),
    ) -> None:
        """A game that begins with `record` (a header, or a game so far) and went on with `changes`."""
        super().__init__(record, changes)
        self._referee = referee
        self._journal = journal
        self._game_version = self._person_version = 0
        self._lie: tuple[Faces, Faces, int] | None = None  # the dice last seen to lie still: active, kept, idle

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
        """Record an event such as "A buy farmer"; `at`: the number of the line it belongs before, None = where it fits.

        expected_version: what the person saw; refused when somebody else has changed the game since. Without `at` it is
        the next event of the game, and in the same change what the camera has seen set aside becomes final, and what
        goes without saying at the table is said (`Game.implied`): taking a card sets the remaining dice aside. If it is
        not legal so, but a past turn of this seat is still open for it, it goes there (with `late` it looks there
        first), unless a later event would become illegal. sure: the camera's confidence, 0..1.
        """
        with self._changed:
            if at is not None:
                return self.insert(event, at, by, expected_version)
            self._expect_of_people(expected_version)
            self._game_log.timeline.must_be_sound()
            book = self._game_log
            event = canonical(book.game, event)
            if self._referee is not None and book.game.ends_turn(book.game.read_event(event[2:])):
                self._take(self._referee.until_now(book.timeline))
            place = book.timeline.place(event) if late else None
            before = (Verdict(), ()) if place is not None else self._before(event)
            if before is None:
                before, place = (Verdict(), ()), book.timeline.place(event)
                if place is None and by == "person" and (other := self._told_by(event)) is not None:
                    self._correct("answer", other, "camera")
                    return self.enter(event, by, late=late)
                if place is None:
                    after(book.game, self.preview_state, event)  # raises, in the players' words
            seen, unsaid = before
            lines = lines_of(seen.findings, book, self._seen())
            questions = numbered(seen.questions, lines, book, self._seen())
            kind: Kind = "enter" if place is None else "insert"
            index = len(self.lines) if place is None else place
            new = [*lines, *(book.line(one, by) for one in unsaid), book.line(event, by, sure)]
            return self._make(book.change(kind, by, index, 0, new, questions=questions, whole=True))

    def refusal(self, event: str) -> CourtsideError | None:
        """Why `enter` would refuse this event now, None where it would not; nothing is changed."""
        with self._changed:
            book = self._game_log
            try:
                self._game_log.timeline.must_be_sound()
                event = canonical(book.game, event)
                if self._before(event) is None and book.timeline.place(event) is None:
                    after(book.game, self.preview_state, event)
            except CourtsideError as error:
                return error
            return None

    def _before(self, event: str) -> tuple[Verdict, tuple[str, ...]] | None:
        """What must come before `event` for it to be legal: what the camera has seen, and what goes without saying.
        None when nothing makes it so."""
        referee = None if self._reading is None else self._referee
        return what_comes_before(self._game_log.timeline, referee, self._verdict, event)

    def _told_by(self, event: str) -> Correction | None:
        """The answer to an open question without which nothing allows this purchase."""
        return None if self._referee is None else told_by_purchase(self._game_log, self._referee, event)

    def insert(self, event: str, before: int | None, by: By = "person", expected_version: int | None = None) -> Change:
        """Put an event before the line of this number (None: at the end). Later lines stay, see `broken`."""
        with self._changed:
            self._expect_of_people(expected_version)
            place = len(self.lines) if before is None else self._game_log.place(before)
            return self._make(self._game_log.change("insert", by, place, 0, [self._game_log.line(event, by)]))

    def replace(self, number: int, event: str, by: By = "person", expected_version: int | None = None) -> Change:
        """Correct a line. Refused when somebody else has changed it since (its number is gone).

        Later lines stay; those that were only wrong because this one was (a misread die set aside) are put right too.
        """
        with self._changed:
            self._expect_of_people(expected_version)
            return self._correct("replace", replacing(self._game_log, number, event, by), by)

    def remove(self, number: int, by: By = "person") -> Change:
        """Take a line out. Refused when somebody else has changed it since. Later lines stay, see `broken`."""
        with self._changed:
            return self._make(self._game_log.change("remove", by, self._game_log.place(number), 1, []))

    def trial(self, kind: Kind, number: int, event: str = "") -> Consequences:
        """What it would come to if the line of this number were replaced, removed, or if `event` were inserted before
        it; nothing happens. Raises as the change itself would."""
        with self._changed:
            return tried_out(self._game_log.branch(self.lines), kind, number, event)

    def must_be_seen(self, version: int | None) -> None:
        """Refuse when another person has changed the game since this version; None: nobody says what was seen."""
        with self._changed:
            self._expect_of_people(version)

    def undo(self, by: By = "person", expected_version: int | None = None, permit: Permit = _permitted) -> Change:
        """Take back the last change, whatever it was; undo again for the one before. permit: may refuse it."""
        with self._changed:
            self._expect(expected_version)
            change = self._game_log.undoing(by)
            permit(change)
            return self._make(change)

    def redo(self, by: By = "person", expected_version: int | None = None, permit: Permit = _permitted) -> Change:
        """Make the change again that was undone last. permit: may refuse it."""
        with self._changed:
            self._expect(expected_version)
            change = self._game_log.redoing(by)
            permit(change)
            return self._make(change)

    def answer(self, question: int, choice: int, by: By = "person") -> Change:
        """Settle a question with one of its answers; 0 means it was right as recorded."""
        with self._changed:
            book = self._game_log
            asked = next((open_ for open_ in book.questions if open_.number == question), None)
            if asked is None:
                raise Illegal("this question has already been answered")
            if not 0 <= choice < len(asked.answers):
                raise Illegal("choose an answer from 1 to {count}", count=len(asked.answers))
            place, count = book.place(asked.lines[0]), len(asked.lines)
            was = self.lines[place : place + count]
            if choice == 0:
                return self._make(book.change("answer", by, place, count, was, settles=(question,)))
            now = answer_lines(book, was, asked.answers[choice], by)
            anew = self._referee.recomputed(book, asked, now) if self._referee is not None else None
            return self._correct("answer", anew or follow_up(book, place, was, now, by, asked), by)

    def _correct(self, kind: Kind, right: Correction, by: By) -> Change:
        change = self._game_log.change(kind, by, right.place, right.removed, right.lines, questions=right.questions)
        return self._make(change)

    # What the camera does

    def see(self, reading: Reading) -> None:
        """Let the referee explain a reading; what is clear is recorded. When the journal fails, the notices say
        so."""
        with self._changed:
            self._reading, self._in_sight = reading, reading.dice
            played = reading
            referee = self._referee
            if referee is not None:
                self._take_all(lambda timeline: referee.judge(timeline, reading))
                self._reading = played = referee.played(reading)
            self._idle = len(reading.dice) - len(played.dice)
            lie = (played.active, played.kept, self._idle)
            if reading.settled and lie != self._lie:
                self._lie = lie  # what a die may also be, shown with its correction
                self._show()

    def see_cards(self, marks: CardMarks) -> None:
        """What is seen of the cards of the seat on turn: evidence for what was done with the dice."""
        with self._changed:
            if self._referee is not None:
                self._referee.see_cards(marks)

    def lie_before(self, reading: Reading) -> None:
        """What the camera saw last before this game began: those dice count once they are thrown."""
        with self._changed:
            if self._referee is not None and not self.lines:
                self._referee.lie_before(self._game_log.timeline, reading)

    def watch_restarted(self) -> None:
        """Forget what was seen but is not on record: whoever watches has begun again, as after `--resume`."""
        with self._changed:
            self._verdict, self._lie = Verdict(), None
            if self._referee is not None:
                self._referee.watch_restarted(self._game_log.timeline)
            self._show()

    def finish(self) -> None:
        """The source has ended: what was still open to change becomes final."""
        with self._changed:
            if self._referee is not None:
                self._take_all(self._referee.finish)

    def _take_all(self, judged: Callable[[Timeline], Verdict]) -> None:
        """Let the referee judge until it has nothing more to record: one roll may follow from another."""
        for _ in range(MOST_FINDINGS):
            changes = len(self._game_log.changes)
            if self.broken is None:
                self._take(judged(self._game_log.timeline))
            if len(self._game_log.changes) == changes:
                return

    def _take(self, verdict: Verdict) -> None:
        if verdict.findings:
            assert self._referee is not None
            try:
                change = self._make(change_of(verdict, self._game_log, self._seen()))
            except Unkept as error:
                if self._complaint is None:
                    self._complaint = Sentence("{why}", {"why": str(error)})
                    self._show()
                return  # the referee has not been told that it is on record, so it will say it again
            except CourtsideError:
                self._referee.refused(self._game_log.timeline)
                verdict = Verdict(notices=(said(NO_FIT),))
            else:
                self._referee.recorded(self._game_log.timeline, change.questions)
        if (verdict.preview, verdict.notices) != (self._verdict.preview, self._verdict.notices):
            self._verdict = verdict
            self._show()

    # Written down first, then made and shown

    def _make(self, change: Change) -> Change:
        if self._journal is not None:
            try:
                self._journal.commit(change)
            except Exception as error:
                raise Unkept(str(error)) from error
        self._complaint = None
        self._game_log.apply(change)
        # What the camera saw between throws was seen from the position before: the next reading says it anew.
        self._verdict = replace(self._verdict, preview=(), unsure=())
        self._show()
        self._game_version = self._version
        if change.by == "person":
            self._person_version = self._version
        return change

    def _show(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _seen(self) -> tuple[int, float] | None:
        return None if self._reading is None else (self._reading.frame, self._reading.seconds)

    def _expect(self, version: int | None) -> None:
        if version is not None and version < self._game_version:
            raise Illegal("another player has just changed the game. Check it and try again")

    def _expect_of_people(self, version: int | None) -> None:
        """The same for what stays right although the camera has seen more meanwhile: only people get in each other's
        way."""
        if version is not None and version < self._person_version:
            self._expect(version)
