"""The chaos script must notice an archive that loses events, such as this one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.archive.store import Archive
from tests.stress.chaos_parts.faults import kills
from tests.stress.chaos_parts.world import World

pytestmark = pytest.mark.slow

EVENTS = 5


def test_an_archive_that_says_kept_and_does_not_keep_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "archive.sqlite3"
    url = f"sqlite:///{file.as_posix()}"
    sound = kills(url, seed=1, often=0.2, events=EVENTS)
    assert sound.tried > 0
    assert (sound.lost, sound.doubled, sound.shown) == (0, 0, EVENTS)
    Archive(url).close()
    with sqlite3.connect(file) as database:
        database.execute(
            "CREATE TRIGGER forget BEFORE INSERT ON changes WHEN NEW.number > 2 BEGIN SELECT RAISE(IGNORE); END"
        )
    assert kills(url, seed=1, often=0.2, events=EVENTS).lost > 0


def test_players_enter_an_unseen_roll_with_the_dice_set_aside_before_it() -> None:
    """Bug: they entered the roll alone, the rules refused it, and all later events counted as lost."""
    world = World(seed=1, events=14)
    missing = next(lines for _ in world.messages() if (lines := world.unrecorded(world.lines[:1])))
    assert missing == ["A keep 5", "A roll 3 1"]
