"""Work on one image that can be spread over several frames.

A refined pass runs its networks for 60 to 400 ms. In one go it would make a live source drop that many frames, so it is
a generator that yields before each longer run. It yields the seconds that the run takes on one core of the reference
machine; the caller resumes it when a frame has that much time left.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Value = TypeVar("Value")
Parts = Generator[float, None, Value]


def at_once(parts: Parts[Value]) -> Value:
    """Runs all parts one after the other and returns the result."""
    while True:
        try:
            next(parts)
        except StopIteration as done:
            result: Value = done.value
            return result
