"""Players with the same highest total share the win, in the record, in the archive and on the pages."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.archive.club import rankings
from companion.game.archived import game_repository
from companion.web.app_state import AppState
from companion.web.sessions import begin_game
from engine.replay import read_game
from engine.yatzy.boxes import RULESETS

BOXES = RULESETS["scandinavian"].boxes


def entries(*seats: str) -> list[str]:
    """A whole game in which every player rolls 1 2 3 4 6 and fills the boxes in order."""
    return [line for box in BOXES for seat in seats for line in (f"{seat} roll 6 4 3 2 1", f"{seat} score {box}")]


def record(result: str) -> str:
    lines = ['[Game "yatzy"]', '[Players "Anna" "Bert" "Cleo"]', result, "", *entries("A", "B", "C")]
    return "\n".join(lines).replace("C roll 6 4 3 2 1\nC score sixes", "C roll 5 4 3 2 1\nC score sixes")


def test_a_record_names_all_who_tie_and_refuses_one_of_them_as_the_winner() -> None:
    replay = read_game(record('[Result "Anna" "Bert"]'))
    assert replay.state.winners == ("A", "B")
    assert '[Result "Anna" "Bert"]' in replay.text()
    with pytest.raises(ValueError, match="“Anna” does not match the entries, which give “Anna, Bert”"):
        read_game(record('[Result "Anna"]'))


def test_pages_say_that_it_is_a_tie(here: AppState, client: FlaskClient) -> None:
    begin_game(here, "yatzy", ("Anna", "Bert"))
    assert here.session.running is not None
    for entry in entries("A", "B"):
        here.session.running.table.enter(entry)
    for address in ("/", "/me/A", "/television", "/overlay", "/ending.svg"):
        page = client.get(address).get_data(as_text=True)
        assert "Tie: Anna &amp; Bert" in page, address
        assert "wins" not in page, address
    feed = client.get("/feed").get_json()
    assert (feed["winner"], feed["winners"]) == (None, ["Anna", "Bert"])


def test_a_tie_is_a_win_for_each_of_them_in_the_archive(here: AppState, client: FlaskClient) -> None:
    assert here.past.archive is not None
    game_repository.import_record(here.past.archive, record('[Result "Anna" "Bert"]'))
    (game,) = game_repository.summaries(here.past.archive)
    assert (game.finished, game.winners) == (True, ("Anna", "Bert"))
    assert {one.name: one.won for one in rankings([game])["yatzy"]} == {"Anna": 1, "Bert": 1, "Cleo": 0}
    assert "Tie: Anna &amp; Bert" in client.get("/history").get_data(as_text=True)
