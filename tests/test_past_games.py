"""Pages that look at past games replay one again only when something has been recorded since."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.archive import shelf
from companion.archive.database import ArchiveError
from companion.archive.past import MOST_REPLAYS, PastGames
from companion.archive.store import Archive
from engine.record_header import new_record


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")


def test_a_past_game_is_replayed_again_only_when_it_has_changed(archive: Archive) -> None:
    past = PastGames()
    game_id, table = shelf.begin(archive, new_record("krone", ("Anna", "Bert")))
    before = past.replay(archive, game_id)
    assert past.replay(archive, game_id) is before
    table.enter("A roll 5 5 2")
    table.undo()  # as many events as before, and yet two changes
    after = past.replay(archive, game_id)
    assert after is not before
    assert after.text() == before.text()
    table.enter("A roll 6 5 2")
    assert past.replay(archive, game_id).text() == table.replay.text()


def test_the_list_of_games_knows_what_is_new_and_what_is_gone(archive: Archive) -> None:
    past = PastGames()
    first, _ = shelf.begin(archive, new_record("krone", ("Anna", "Bert")))
    second, table = shelf.begin(archive, new_record("krone", ("Emil", "Fay")))
    before = {game.id: game for game in past.summaries(archive)}
    table.enter("A roll 5 5 2")
    after = past.summaries(archive)
    assert [(game.id, game.events) for game in after] == [(second, 1), (first, 0)]
    assert after[1] is before[first]
    archive.delete(first)
    assert [game.id for game in past.summaries(archive)] == [second]
    with pytest.raises(ArchiveError, match="no game"):
        past.replay(archive, first)


def test_a_long_evening_of_looking_back_holds_few_games(archive: Archive) -> None:
    past = PastGames()
    ids = [shelf.begin(archive, new_record("krone", ("Anna", "Bert")))[0] for _ in range(MOST_REPLAYS + 1)]
    first = past.replay(archive, ids[0])
    for game_id in ids[1:]:
        past.replay(archive, game_id)
    assert past.replay(archive, ids[-1]) is past.replay(archive, ids[-1])
    assert past.replay(archive, ids[0]) is not first
