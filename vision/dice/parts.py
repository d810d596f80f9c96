"""Work on one picture that can be spread over several frames.

A refined pass runs its networks for 60 to 400 ms. Done at once it makes a live source lose that many pictures, so it is
written as a generator that yields before each larger run. It yields the seconds which that run takes on one core of the
reference machine; the caller resumes it when a frame has so much time left.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Value = TypeVar("Value")
Parts = Generator[float, None, Value]


def at_once(parts: Parts[Value]) -> Value:
    """The result of all parts, one after the other."""
    while True:
        try:
            next(parts)
        except StopIteration as done:
            result: Value = done.value
            return result
