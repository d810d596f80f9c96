"""Answers that take seconds, computed in the background and never while a board is rendered."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Generic, TypeVar

from engine.advice.deadline import Expired

Answer = TypeVar("Answer")
Compute = Callable[[Callable[[], bool]], Answer]
"""Whether its time is over → the answer. May raise Expired."""


class Background(Generic[Answer]):
    """Answers by question, computed one at a time; the newest are kept. Thread-safe.

    Args:
        name: Of the thread.
        seconds: Time limit for one answer.
        max_answers: Number of answers kept.
        on_answer: Called when one more answer is known.
    """

    def __init__(self, name: str, seconds: float, max_answers: int, on_answer: Callable[[], None]) -> None:
        self._seconds, self._max_answers, self._on_answer = seconds, max_answers, on_answer
        self._answers: OrderedDict[Hashable, Answer | None] = OrderedDict()
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, name)

    def answer(self, question: Hashable, compute: Compute[Answer]) -> Answer | None:
        """The answer to a question; None while it is being computed, or if that took too long."""
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
                return self._answers[question]
            self._answers[question] = None
            while len(self._answers) > self._max_answers:
                self._answers.popitem(last=False)
        with suppress(RuntimeError):  # the application is closing
            self._thread.submit(self._compute, question, compute)
        return None

    def close(self) -> None:
        """Stops computing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _compute(self, question: Hashable, compute: Compute[Answer]) -> None:
        deadline = time.monotonic() + self._seconds
        try:
            found = compute(lambda: time.monotonic() > deadline)
        except Expired:
            return
        with self._lock:
            self._answers[question] = found
        self._on_answer()
