"""A player's phone changes only events of its own seat."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.changes import Change, Line, Question, Sentence
from companion.game.table import Table
from companion.web.app_state import AppState
from engine.record_header import new_record
from tests.kit.visitors import paired, with_token

SCRIPT = {"X-Fragment": "board"}


@pytest.fixture
def anna(network: Flask, tmp_path: Path) -> FlaskClient:
    return with_token(paired(network, tmp_path, "player-A"))


@pytest.fixture
def bert(network: Flask, tmp_path: Path) -> FlaskClient:
    return with_token(paired(network, tmp_path, "player-B"))


@pytest.fixture
def host(network: Flask, tmp_path: Path) -> FlaskClient:
    return with_token(paired(network, tmp_path, "host"))


def sent(client: FlaskClient, path: str, **form: str) -> int:
    return client.post(path, data=form | {"csrf": "known"}).status_code


def table_of(app_state: AppState) -> Table:
    assert app_state.session.running is not None
    return app_state.session.running.table


def events(app_state: AppState) -> list[str]:
    return [line.event for line in table_of(app_state).lines]


def test_a_player_does_not_say_that_anothers_die_shows_something_else(
    app_state: AppState, anna: FlaskClient, bert: FlaskClient
) -> None:
    """Bug: the form's seat was checked, but the die of any seat was corrected."""
    table_of(app_state).enter("A roll 5 5 2")
    for seat in "BA":
        assert sent(bert, "/enter", seat=seat, dice="2", shows="6") == 403
    assert events(app_state) == ["A roll 5 5 2"]
    assert sent(anna, "/enter", seat="A", dice="2", shows="6") == 303
    assert events(app_state) == ["A roll 6 5 5"]


def test_only_the_same_seat_or_the_host_undoes_and_redoes_an_entry(
    app_state: AppState, anna: FlaskClient, bert: FlaskClient, host: FlaskClient
) -> None:
    assert sent(anna, "/enter", event="A roll 5 5 2") == 303
    assert sent(bert, "/undo") == 403
    assert events(app_state) == ["A roll 5 5 2"]
    assert sent(anna, "/undo") == 303
    assert events(app_state) == []
    assert sent(bert, "/redo") == 403
    assert events(app_state) == []
    assert sent(host, "/redo") == 303
    assert sent(host, "/undo") == 303
    assert events(app_state) == []


def test_a_player_cannot_undo_another_players_purchase_before_or_after_her_turn_begins(
    app_state: AppState, anna: FlaskClient, bert: FlaskClient
) -> None:
    for event in ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer", "B roll 6 6 1"):
        table_of(app_state).enter(event)
    assert sent(anna, "/undo") == 403
    assert sent(bert, "/undo") == 303
    assert sent(bert, "/undo") == 403
    assert sent(anna, "/undo") == 303
    assert events(app_state) == ["A roll 5 5 2", "A keep 5 5 2"]


def test_a_purchase_with_dice_still_in_play_is_one_change_and_one_undo(app_state: AppState, anna: FlaskClient) -> None:
    """Bug: setting the dice aside was a separate change, so one undo left them set aside."""
    table_of(app_state).enter("A roll 5 5 2")
    assert sent(anna, "/enter", seat="A", verb="buy", card="farmer") == 303
    assert events(app_state) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]
    assert sent(anna, "/undo") == 303
    assert events(app_state) == ["A roll 5 5 2"]
    assert sent(anna, "/redo") == 303
    assert events(app_state) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]


def test_a_purchase_that_the_dice_do_not_pay_sets_nothing_aside(app_state: AppState, anna: FlaskClient) -> None:
    table_of(app_state).enter("A roll 5 4 2")
    assert sent(anna, "/enter", seat="A", verb="buy", card="farmer") == 303
    assert events(app_state) == ["A roll 5 4 2"]


def test_a_question_about_anothers_dice_is_not_a_players_to_answer(
    app_state: AppState, anna: FlaskClient, bert: FlaskClient
) -> None:
    asked = Question(Sentence("{text}", {"text": "?"}), (1,), (("A roll 5 5 2",), ("A roll 5 5 3",)), 1)
    seen = Change(1, "enter", "camera", 0, (), (Line(1, "A roll 5 5 2", "camera"),), (asked,))
    app_state.session.begin(Table(new_record("krone", ("Anna", "Bert")), changes=[seen]), None)
    answer = 'action="/answer"'
    assert answer not in bert.get("/board").get_data(as_text=True)
    assert sent(bert, "/answer", question="1", answer="1") == 403
    assert events(app_state) == ["A roll 5 5 2"]
    assert answer in anna.get("/board").get_data(as_text=True)
    assert sent(anna, "/answer", question="1", answer="1") == 303
    assert events(app_state) == ["A roll 5 5 3"]


def test_a_spectator_is_shown_no_answers_to_give(app_state: AppState, network: Flask, tmp_path: Path) -> None:
    asked = Question(Sentence("{text}", {"text": "?"}), (1,), (("A roll 5 5 2",), ("A roll 5 5 3",)), 1)
    seen = Change(1, "enter", "camera", 0, (), (Line(1, "A roll 5 5 2", "camera"),), (asked,))
    app_state.session.begin(Table(new_record("krone", ("Anna", "Bert")), changes=[seen]), None)
    page = with_token(paired(network, tmp_path, "spectator")).get("/").get_data(as_text=True)
    assert "question-1" in page
    assert 'action="/answer"' not in page


def test_alternatives_that_do_not_matter_are_listed_with_their_line_and_settled_in_its_correction(
    app_state: AppState, anna: FlaskClient
) -> None:
    lines = (Line(1, "A roll 5 3 2", "camera"), Line(2, "A use fool 2 > 5", "camera"))
    answers = (("A use fool 2 > 5",), ("A use merchant 2 > 5",))
    asked = Question(Sentence("{text}", {"text": "?"}), (2,), answers, 1, matters=False)
    owned = new_record("krone", ("Anna", "Bert"), Position="amigo2006; A fool merchant; B -")
    app_state.session.begin(Table(owned, changes=[Change(1, "enter", "camera", 0, (), lines, (asked,))]), None)
    board = anna.get("/board").get_data(as_text=True)
    assert "question-1" not in board
    assert "or: Merchant?" in " ".join(board.split())
    assert 'value="1"' in anna.get("/correct/2").get_data(as_text=True)
    assert sent(anna, "/answer", question="1", answer="1") == 303
    assert events(app_state)[1] == "A use merchant 2 > 5"


def test_the_board_offers_a_player_only_her_own_moves(
    app_state: AppState, anna: FlaskClient, bert: FlaskClient
) -> None:
    assert 'id="rolled"' in anna.get("/board").get_data(as_text=True)
    assert 'id="rolled"' not in bert.get("/board").get_data(as_text=True)
    table_of(app_state).enter("A roll 5 5 2")
    undo = 'data-shortcut="u" aria-keyshortcuts="u" disabled'
    assert undo not in anna.get("/board").get_data(as_text=True)
    assert undo in bert.get("/board").get_data(as_text=True)


def test_a_player_who_presses_anothers_button_reads_whose_it_is(app_state: AppState, bert: FlaskClient) -> None:
    """Bug: the page was reloaded without a message."""
    table_of(app_state).enter("A roll 5 5 2")
    answer = bert.post("/undo", data={"csrf": "known"}, headers=SCRIPT)
    assert answer.status_code == 403
    assert answer.headers["X-Version"] == app_state.session.board_version()
    assert "Only Anna or the host can enter or change this." in answer.get_data(as_text=True)


def test_no_redirect_leads_to_a_page_without_access(network: Flask, app_state: AppState, tmp_path: Path) -> None:
    """A camera's phone may not see the table, and a spectator may not start a game there."""
    refused = with_token(paired(network, tmp_path, "camera")).get("/")
    assert refused.status_code == 403
    assert 'class="button" href="/"' not in refused.text
    assert 'href="/phone"' in refused.text
    app_state.session.running = None
    waiting = with_token(paired(network, tmp_path, "spectator")).get("/")
    assert waiting.status_code == 200
    assert "No game has started yet" in waiting.text
