"""The end of a game: last dice, turning point, rematch, picture."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

from flask.testing import FlaskClient

from companion.advice.ending import ending, turning_point
from companion.advice.win_curve import WinChancesAt
from companion.web.app_state import AppState
from companion.web.sessions import begin_game
from engine.replay import read_game
from tests.web.played_out import PLAYED, play_to_the_end


def post(client: FlaskClient, path: str, **headers: str) -> tuple[int, str]:
    client.get("/")
    with client.session_transaction() as session:
        token = session["csrf"]
    answer = client.post(path, headers={"X-CSRF-Token": token, **headers})
    return answer.status_code, answer.get_data(as_text=True)


def test_the_last_dice_of_everybody_and_the_winner_s_cards() -> None:
    found = ending(read_game(PLAYED))
    assert found is not None
    assert (found.seats, found.winner, found.tie) == (("C",), "Carl", False)
    assert "king" in found.cards
    assert [last.dice for last in found.last_dice if last.seat == "C"] == [(3,) * 7]


def test_a_running_game_has_no_ending() -> None:
    head, _, events = PLAYED.partition("\n\n")
    header = "\n".join(line for line in head.splitlines() if not line.startswith("[Result"))
    assert ending(read_game(header + "\n\n" + "\n".join(events.splitlines()[:20]))) is None


def test_the_turning_point_is_the_turn_that_brought_the_winner_most() -> None:
    replay = read_game(PLAYED)
    shown = (0.2, 0.3, 0.25, 0.7, 0.6, 1.0)  # the winner's chances; whatever the advice thinks of this game
    course = [WinChancesAt(4 * turn, turn + 1, "Carl", (0.0, 0.0, chance, 0.0)) for turn, chance in enumerate(shown)]
    course[-1] = replace(course[-1], name="")
    found = turning_point(replay, tuple(course))
    assert found is not None
    assert (found.round, found.name, found.first, found.last) == (3, "Carl", 9, 12)
    assert (found.before, found.after) == (0.25, 0.7)


def test_without_the_whole_course_nothing_is_called_the_turning_point() -> None:
    replay = read_game(PLAYED)
    begun = WinChancesAt(0, 1, "Marc", (0.25,) * 4)
    assert turning_point(replay, (begun,)) is None
    assert turning_point(replay, (begun, WinChancesAt(5, 1, "Anne", (0.1, 0.1, 0.7, 0.1)))) is None


def test_a_rematch_has_the_same_seats_and_rules(app_state: AppState, client: FlaskClient) -> None:
    play_to_the_end(app_state)
    first = app_state.session.running
    assert post(client, "/rematch")[0] == 303
    assert app_state.session.running is not None
    assert app_state.session.running is not first
    record = app_state.session.running.table.record
    assert (record.players, record.ruleset) == (("Anna", "Bert", "Cleo", "Dora"), "riogrande2007")
    assert not app_state.session.running.table.lines


def test_a_rematch_of_knatsch_keeps_the_dice_entered_for_its_cards(app_state: AppState, client: FlaskClient) -> None:
    position = "A castle-red=3-3-3+2 castle-blue castle-green castle-white / B castle-black / left 21*? / right 22*? / "
    game = f'[Game "knatsch"]\n[Players "Anna" "Bert"]\n[Position "{position}king=4-4-4+1 turn=A winner=A"]\n'
    replay = read_game(game)
    tags = replay.game.rematch_tags(replay.state)
    assert "castle-red=3-3-3+2" in tags["Deck"]
    assert "king=4-4-4+1" in tags["Deck"]
    begin_game(app_state, "knatsch", ("Anna", "Bert"), None, **tags)


def test_during_a_game_there_is_no_rematch_and_no_picture(app_state: AppState, client: FlaskClient) -> None:
    begin_game(app_state, "krone", ("Anna", "Bert"))
    first = app_state.session.running
    assert "not over yet" in post(client, "/rematch", **{"X-Fragment": "board"})[1]
    assert app_state.session.running is first
    assert client.get("/ending.svg").status_code == 404


def test_the_picture_is_a_drawing_with_the_winner_s_name(app_state: AppState, client: FlaskClient) -> None:
    play_to_the_end(app_state, ("Anna", "Bert", "<Cleo & Co>", "Dora"))
    drawn = client.get("/ending.svg")
    assert drawn.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(drawn.data)
    assert "<Cleo & Co>" in "".join(root.itertext())
    assert len(drawn.data) < 60_000


def test_the_picture_shows_the_winner_in_bold_and_their_dice_large(app_state: AppState, client: FlaskClient) -> None:
    """Bug: since there are ties, the winner's name, dice and line were drawn like those of the others."""
    play_to_the_end(app_state)
    svg = client.get("/ending.svg").get_data(as_text=True)
    weights = re.findall(r'font-size="26" font-weight="(\d+)"[^>]*>(\w+)<', svg)
    assert [name for weight, name in weights if weight == "600"] == ["Cleo"]
    assert ") scale(" in svg.partition("Um Krone und Kragen ·")[0]
    assert "wins the crown" in svg.partition("</title>")[2]
