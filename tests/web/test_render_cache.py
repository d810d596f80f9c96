"""The render cache: the first request computes, others wait, and entries take little memory."""

from __future__ import annotations

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.web.render_cache import RenderCache


def test_concurrent_requests_share_one_rendering() -> None:
    cache: RenderCache[str] = RenderCache()
    drawn, go = [], threading.Event()

    def draw() -> str:
        go.wait(10)
        drawn.append("drawn")
        return "board"

    with ThreadPoolExecutor(5) as visitors:
        asked = [visitors.submit(cache.get_or_compute, "key", draw) for _ in range(5)]
        assert cache.get("key") is None
        go.set()
        assert [one.result(10) for one in asked] == ["board"] * 5
    assert (drawn, cache.get("key")) == (["drawn"], "board")


def test_a_failed_rendering_fails_for_all_waiting_requests_and_is_tried_again_by_the_next() -> None:
    cache: RenderCache[str] = RenderCache()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_compute("key", lambda: str(1 / 0))
    assert cache.get_or_compute("key", lambda: "board") == "board"


def test_the_newest_are_kept_and_the_others_go() -> None:
    cache: RenderCache[int] = RenderCache(max_entries=2)
    for key in (1, 2, 1, 3):
        cache.get_or_compute(key, lambda key=key: key)  # type: ignore[misc]
    assert [cache.get(key) for key in (1, 2, 3)] == [1, None, 3]


def test_a_line_that_is_kept_weighs_hardly_more_than_its_text() -> None:
    """Bug: each entry kept a lock, so three thousand lines in five languages grew by nine megabytes."""
    cache: RenderCache[str] = RenderCache(3000)
    tracemalloc.start()
    try:
        for number in range(3000):
            cache.get_or_compute(number, lambda: "x" * 100)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 3000 * 600
