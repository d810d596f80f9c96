"""Reviews games in the background, turn by turn, so that a page can show partial results.

One thread reviews all requested games, a turn at a time, the latest request first. No page waits for another one's long
game, and reviews use at most one processor.
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
from engine.advice.review import Review, joined
from engine.replay import Replay

_MAX_GAMES = 16  # games; each has a few hundred decisions
_IDLE_CHECK_SECONDS = 2.0  # interval of checks whether pages are idle
_GAME_SECONDS = 300.0  # time limit for one game, more than any has taken

OnReview = Callable[[Replay, Review[Any, Any]], None]


class Progress:
    """The progress of one review; thread-safe. `events` is the number of events to review."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.events = len(replay.states) - 1
        self._changed = threading.Condition()
        self._parts: list[Review[Any, Any]] = []
        self._state = "waiting"  # one of waiting, done, given up

    @property
    def review(self) -> Review[Any, Any]:
        """The result so far."""
        with self._changed:
            return joined(self._parts)

    @property
    def parts(self) -> int:
        """Number of turns reviewed."""
        return len(self._parts)

    @property
    def reviewed_events(self) -> int:
        """Number of events of the record reviewed."""
        decisions = self.review.decisions
        return self.events if self.done else decisions[-1].number + 1 if decisions else 0

    @property
    def done(self) -> bool:
        """Whether the review is complete."""
        return self._state == "done"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._state != "waiting"

    def wait(self, parts: int, seconds: float) -> None:
        """Waits up to `seconds` until more than `parts` turns are known, or nothing more will come."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or len(self._parts) > parts, seconds)

    def add(self, part: Review[Any, Any]) -> None:
        """Adds a turn."""
        with self._changed:
            self._parts.append(part)
            self._changed.notify_all()

    def end(self, done: bool) -> None:
        """Ends the review: complete, or out of time."""
        with self._changed:
            self._state = "done" if done else "given up"
            self._changed.notify_all()


class ReviewQueue:
    """Reviews of games by their record.

    Args:
        on_review: Called from the queue's thread with every completed review.
        is_idle: Returns whether no page is active, so that idle work may run.
    """

    def __init__(
        self, on_review: OnReview = lambda replay, review: None, is_idle: Callable[[], bool] = lambda: True
    ) -> None:
        self._on_review, self._is_idle = on_review, is_idle
        self._games: OrderedDict[str, Progress] = OrderedDict()
        self._jobs: dict[str, Iterator[Review[Any, Any]]] = {}
        self._spent: dict[str, float] = {}  # seconds spent on each job
        self._priority: dict[str, int] = {}
        self._count = itertools.count(1)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def progress(self, replay: Replay, urgent: bool = True, when_idle: bool = False) -> Progress:
        """The progress of this game's review, which starts if it has not.

        Args:
            urgent: A page is waiting for it.
            when_idle: Run only while no page is active.
        """
        text = replay.text()
        with self._changed:
            known = self._games.get(text)
            if known is None:
                known = self._games[text] = Progress(replay)
                self._jobs[text], self._spent[text] = _parts(replay), 0.0
                self._drop_old_reviews()
            self._games.move_to_end(text)
            self._priority[text] = (
                next(self._count) if urgent else max(self._priority.get(text, -1), -1 if when_idle else 0)
            )
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="reviews", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return known

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to review."""
        return not self._jobs

    def close(self) -> None:
        """Stops reviewing."""
        with self._changed:
            self._closed = True
            self._jobs.clear()
            self._changed.notify_all()

    def _drop_old_reviews(self) -> None:
        for text in [text for text in self._games if text not in self._jobs][: len(self._games) - _MAX_GAMES]:
            del self._games[text], self._priority[text]

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closed)
                if self._closed:
                    return
                text = max(self._jobs, key=lambda text: self._priority[text])
                if self._priority[text] < 0 and not self._is_idle():
                    self._changed.wait(_IDLE_CHECK_SECONDS)
                    continue
                parts, progress = self._jobs[text], self._games[text]
            self._step(text, parts, progress)

    def _step(self, text: str, parts: Iterator[Review[Any, Any]], progress: Progress) -> None:
        started = time.monotonic()
        try:
            if self._spent[text] > _GAME_SECONDS or self._closed:
                raise Expired
            progress.add(next(parts))
            self._spent[text] += time.monotonic() - started
            return
        except StopIteration:
            progress.end(done=True)
        except Expired:
            progress.end(done=False)
        with self._changed:
            self._jobs.pop(text, None)
            self._spent.pop(text, None)
        if progress.done:
            self._on_review(progress.replay, progress.review)


def _parts(replay: Replay) -> Iterator[Review[Any, Any]]:
    """The parts of the game's review.

    Raises:
        LookupError: The game offers no review.
    """
    game_review = plugin(replay.game.ID).review
    if game_review is None:
        raise LookupError(replay.game.ID)
    moves = [(entry.seat, entry.event) for entry in replay.record.entries[: len(replay.states) - 1]]
    return game_review.parts(replay.states[0], moves)
