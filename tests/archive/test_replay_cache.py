"""Pages of past games replay a game again only after a new line."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from companion.advice.win_curve import WinChancesAt
from companion.archive.club import running
from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import MAX_GAMES, ReplayCache
from companion.game.changes import Change
from companion.game.log import GameLog
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import resume_game
from companion.web.view_models.curve_labels import label_places
from engine.record_header import new_record
from engine.record_text import write_record
from tests.archive.damaged_games import bodies


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")


def test_a_past_game_is_replayed_again_only_when_it_has_changed(archive: Archive) -> None:
    past = ReplayCache()
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    before = past.game(archive, game_id).replay
    assert past.game(archive, game_id).replay is before
    table.enter("A roll 5 5 2")
    table.undo()  # as many events as before, and yet two changes
    after = past.game(archive, game_id).replay
    assert after is not before
    assert after.text() == before.text()
    table.enter("A roll 6 5 2")
    assert past.game(archive, game_id).replay.text() == table.replay.text()


def test_the_list_of_games_includes_new_games_and_drops_deleted_ones(archive: Archive) -> None:
    past = ReplayCache()
    first, _ = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    second, table = game_repository.begin(archive, new_record("krone", ("Emil", "Fay")))
    before = {game.id: game for game in past.summaries(archive)}
    table.enter("A roll 5 5 2")
    after = past.summaries(archive)
    assert [(game.id, game.events) for game in after] == [(second, 1), (first, 0)]
    assert after[1] is before[first]
    archive.delete(first)
    assert [game.id for game in past.summaries(archive)] == [second]
    with pytest.raises(ArchiveError, match="no game"):
        past.game(archive, first)


def test_a_long_evening_of_looking_back_holds_few_games(archive: Archive) -> None:
    past = ReplayCache()
    ids = [game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))[0] for _ in range(MAX_GAMES + 1)]
    first = past.game(archive, ids[0]).replay
    for game_id in ids[1:]:
        past.game(archive, game_id)
    assert past.game(archive, ids[-1]).replay is past.game(archive, ids[-1]).replay
    assert past.game(archive, ids[0]).replay is not first


def bend(archive: Archive, game_id: str, number: int, **parts: object) -> None:
    """Stores change `number` of this game as another program would."""
    last = bodies(archive, game_id)[-1]
    archive.commit(game_id, number, last | {"number": number} | parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"index": "camera"},
        {"index": 99},
        {"kind": "redo"},
        {"kind": "gift"},
        {"now": [{"number": 1}]},
        {"doubts": [[]]},
    ],
)
def test_a_damaged_game_hides_none_of_the_others(archive: Archive, tmp_path: Path, parts: dict[str, object]) -> None:
    good, table = game_repository.begin(archive, new_record("krone", ("Emil", "Fay")))
    table.enter("A roll 5 5 2")
    bad, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    table.enter("A roll 5 5 2")
    bend(archive, bad, 2, **parts)
    visitor = create_app(AppState(archive), Pairing(tmp_path), Settings(port=1)).test_client()
    until = time.monotonic() + 60.0
    while "damaged" not in (page := visitor.get("/history").get_data(as_text=True)) and time.monotonic() < until:
        time.sleep(0.05)  # a game that is not read within a moment is shown as being read
    assert good in page
    assert page.count("damaged") == 1
    assert "readable beginning" in visitor.get(f"/history/{bad}").get_data(as_text=True)
    assert {game.id: bool(game.damage) for game in game_repository.summaries(archive)} == {good: False, bad: True}
    with pytest.raises(ArchiveError, match="cannot be read"):
        game_repository.resume(archive, bad)
    assert [game.id for game in running(ReplayCache().summaries(archive))] == [good]


@pytest.mark.parametrize(
    "chances",
    [(1.0, 0.0, 0.0, 0.0, 0.0), (0.2,) * 5, (0.96, 0.04, 0.0), (0.0, 1.0), (0.9, 0.02, 0.02, 0.02, 0.02, 0.02)],
)
def test_the_names_beside_the_chances_are_in_the_chart_and_apart(chances: tuple[float, ...]) -> None:
    timeline = [WinChancesAt(0, 1, "Anna", chances)]
    placed = label_places(timeline)
    heights = [y for _, y in placed]
    assert sorted(seat for seat, _ in placed) == list(range(len(chances)))
    assert all(16 <= y <= 236 for y in heights)  # a name is 13 high and stands on its line
    assert all(b - a >= 16 for a, b in pairwise(heights))
    best = max(range(len(chances)), key=lambda seat: chances[seat])
    if chances.count(chances[best]) == 1:
        assert placed[0][0] == best
        assert abs(heights[0] - (224 - 200 * chances[best])) < 0.1  # at the end of its own line


def test_the_picture_a_throw_was_read_from_settles_a_dispute(archive: Archive, tmp_path: Path) -> None:
    record = new_record("krone", ("Anna", "Bert"))
    book = GameLog(record)
    game_id = archive.create_game("krone", write_record(record))
    app_state = AppState(archive)

    def keep(change: Change, jpeg: bytes | None = None) -> None:
        book.apply(change)
        archive.commit(game_id, change.number, change.body(), jpeg)

    keep(book.change("enter", "camera", 0, 0, [book.line("A roll 5 5 2", "camera", 0.9)]), b"the first throw")
    keep(book.change("enter", "person", 1, 0, [book.line("A keep 5 5", "person")]))
    keep(book.change("enter", "camera", 2, 0, [book.line("A roll 3", "camera", 0.7)]), b"the second")
    keep(book.change("remove", "person", 2, 1, []))
    keep(book.undo_change("person"))  # the line comes back, and its picture with it
    resume_game(app_state, game_id)
    visitor = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    assert visitor.get(f"/history/{game_id}/seen/1").data == b"the first throw"
    assert visitor.get(f"/history/{game_id}/seen/3").data == b"the second"
    assert [visitor.get(f"/history/{game_id}/seen/{place}").status_code for place in (0, 2, 4)] == [404] * 3
    assert f'href="/history/{game_id}/seen/3"' in visitor.get(f"/history/{game_id}").get_data(as_text=True)
    assert f'src="/history/{game_id}/seen/1"' in visitor.get("/correct/1").get_data(as_text=True)
    assert "/seen/" not in visitor.get("/correct/2").get_data(as_text=True)
    app_state.close()
