"""The current game: a new one is prepared before pages see it, and board names only grow."""

from __future__ import annotations

import time

from companion.game.referee import referee_for
from companion.game.session import GameSession, RunningGame
from companion.game.table import Table
from engine.record_header import new_record


def table() -> Table:
    record = new_record("krone", ("Anna", "Bert"))
    return Table(record, referee_for(record))


def test_a_new_game_is_prepared_before_pages_see_it() -> None:
    session, prepared = GameSession(), []
    session.on_begin(lambda table: prepared.append((table, session.running)))
    first, second = table(), table()
    session.begin(first, None)
    session.begin(second, "abc123")
    assert [one for one, _ in prepared] == [first, second]
    assert [None if seen is None else seen.table for _, seen in prepared] == [None, first]
    assert session.running is not None
    assert (session.running.table, session.running.id) == (second, "abc123")
    session.broadcast.close()


def test_the_name_of_a_board_grows_with_every_change_and_with_every_game() -> None:
    session = GameSession()
    assert session.board_version() == "0"
    names = []
    for _ in range(2):
        session.begin(table(), None)
        names.append(session.board_version())
        session.board_changed()
        names.append(session.board_version())
        assert session.running is not None
        session.running.table.enter("A roll 5 5 2")
        names.append(session.board_version())
    numbers = [tuple(map(int, name.split("."))) for name in names]
    assert numbers == sorted(set(numbers))
    session.broadcast.close()


def test_each_change_of_the_running_game_is_passed_on_and_no_other_games() -> None:
    session, changed = GameSession(), []

    def passed_on(running: RunningGame) -> None:
        changed.append((running.table, running.table.version))

    session.on_change(passed_on)
    first, second = table(), table()
    session.begin(first, None)
    session.begin(second, None)
    second.enter("A roll 5 5 2")
    until = time.monotonic() + 60
    while (second, second.version) not in changed and time.monotonic() < until:
        time.sleep(0.01)
    assert (second, second.version) in changed
    time.sleep(1.1)  # the first game's follower looks once a second whether its game still runs
    first.enter("A roll 1 1 1")
    time.sleep(0.2)
    assert (first, first.version) not in changed
    session.broadcast.close()
