"""A clock that goes backwards, as on a small computer without a battery, does not change the order of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.referee import referee_for
from engine.record_header import new_record
from tests.archive.days import at_day

LINES = ("A roll 3 2 1", "A keep 3", "A roll 2 1", "A keep 2", "A roll 6")


def test_a_clock_that_goes_backwards_in_the_middle_of_a_game_loses_and_reorders_nothing(
    archive: Archive, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_day(monkeypatch, "2026-03-02T20:00:00+00:00")
    record = new_record("krone", ("Anna", "Bert"))
    earlier, _ = game_repository.begin(archive, record, referee_for(record))
    game, table = game_repository.begin(archive, record, referee_for(record))
    for days, line in zip((2, 1, 0, 0, 5), LINES, strict=True):
        at_day(monkeypatch, f"199{days}-01-01T00:00:00+00:00")
        table.enter(line)
    archive.close()
    again = Archive(f"sqlite:///{file.as_posix()}")
    try:
        assert game_repository.newest_unfinished(again) == game
        assert [row.id for row in again.games()] == [game, earlier]
        assert again.load(game).damage is None
        resumed = game_repository.resume(again, game)
        assert [line.event for line in resumed.lines] == list(LINES)
    finally:
        again.close()
