"""Looking back on games aside, turn by turn: a page shows what is known already and asks for the rest as it comes.

One thread weighs all games that anybody has asked for, a turn at a time, the one asked for last first: nobody's page
waits behind another one's long game, and however many ask, the house has one processor less and no more.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from companion.plugins import plugin
from engine.advice.deadline import Expired
from engine.advice.review import Review, together
from engine.replay import Replay

_MOST_KEPT = 16  # games: each has a few hundred decisions
_LOOK_SECONDS = 2.0  # between looks at whether it has become quiet
_SECONDS = 300.0  # of one game: more than any game has been seen to take

Done = Callable[[Replay, Review[Any, Any]], None]


class Progress:
    """A game being looked back on, read from many threads. events: how many there are to weigh."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.events = len(replay.states) - 1
        self._changed = threading.Condition()
        self._parts: list[Review[Any, Any]] = []
        self._state = "waiting"  # waiting, done, given up

    @property
    def known(self) -> Review[Any, Any]:
        """What is known so far."""
        with self._changed:
            return together(self._parts)

    @property
    def parts(self) -> int:
        """How many turns are known."""
        return len(self._parts)

    @property
    def upto(self) -> int:
        """How many events of the record are weighed."""
        decisions = self.known.decisions
        return self.events if self.done else decisions[-1].number + 1 if decisions else 0

    @property
    def done(self) -> bool:
        """Whether all of it is known."""
        return self._state == "done"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._state != "waiting"

    def wait(self, parts: int, seconds: float) -> None:
        """Until more than so many turns are known, or nothing more will come; at most so long."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or len(self._parts) > parts, seconds)

    def add(self, part: Review[Any, Any]) -> None:
        """One more turn."""
        with self._changed:
            self._parts.append(part)
            self._changed.notify_all()

    def end(self, done: bool) -> None:
        """That is all; done: or it took too long."""
        with self._changed:
            self._state = "done" if done else "given up"
            self._changed.notify_all()


class ReviewDesk:
    """Games by their record. told: called from the desk's thread with every game that is weighed to its end; quiet:
    whether nobody wants anything, so that games may be weighed that nobody has asked for."""

    def __init__(self, told: Done = lambda replay, review: None, quiet: Callable[[], bool] = lambda: True) -> None:
        self._told, self._quiet = told, quiet
        self._games: OrderedDict[str, Progress] = OrderedDict()
        self._jobs: dict[str, Iterator[Review[Any, Any]]] = {}
        self._spent: dict[str, float] = {}  # seconds over each job
        self._asked: dict[str, int] = {}
        self._count = itertools.count(1)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def of(self, replay: Replay, hurry: bool = True, idly: bool = False) -> Progress:
        """The state of this game; weighing it begins if it has not. hurry: somebody is looking; idly: nobody will for
        long, so it is weighed only while it is quiet."""
        text = replay.text()
        with self._changed:
            known = self._games.get(text)
            if known is None:
                known = self._games[text] = Progress(replay)
                self._jobs[text], self._spent[text] = _parts(replay), 0.0
                self._forget_old_ones()
            self._games.move_to_end(text)
            self._asked[text] = next(self._count) if hurry else max(self._asked.get(text, -1), -1 if idly else 0)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="looking back", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return known

    @property
    def idle(self) -> bool:
        """Whether there is nothing to weigh."""
        return not self._jobs

    def close(self) -> None:
        """Weigh nothing more."""
        with self._changed:
            self._closed = True
            self._jobs.clear()
            self._changed.notify_all()

    def _forget_old_ones(self) -> None:
        for text in [text for text in self._games if text not in self._jobs][: len(self._games) - _MOST_KEPT]:
            del self._games[text], self._asked[text]

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closed)
                if self._closed:
                    return
                text = max(self._jobs, key=lambda text: self._asked[text])
                if self._asked[text] < 0 and not self._quiet():
                    self._changed.wait(_LOOK_SECONDS)
                    continue
                parts, progress = self._jobs[text], self._games[text]
            self._step(text, parts, progress)

    def _step(self, text: str, parts: Iterator[Review[Any, Any]], progress: Progress) -> None:
        began = time.monotonic()
        try:
            if self._spent[text] > _SECONDS or self._closed:
                raise Expired
            progress.add(next(parts))
            self._spent[text] += time.monotonic() - began
            return
        except StopIteration:
            progress.end(done=True)
        except Expired:
            progress.end(done=False)
        with self._changed:
            self._jobs.pop(text, None)
            self._spent.pop(text, None)
        if progress.done:
            self._told(progress.replay, progress.known)


def _parts(replay: Replay) -> Iterator[Review[Any, Any]]:
    """Raises LookupError for a game whose decisions are not weighed."""
    weighing = plugin(replay.game.ID).review
    if weighing is None:
        raise LookupError(replay.game.ID)
    moves = [(entry.seat, entry.event) for entry in replay.record.entries[: len(replay.states) - 1]]
    return weighing.parts(replay.states[0], moves)
