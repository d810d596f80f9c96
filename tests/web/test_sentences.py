"""The referee's questions, with the cards and events that they name, are in the visitor's language."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.referee.sentences import WHAT_HAPPENED, WHICH_CARD, WHICH_VALUE, message
from companion.i18n.words import decimal
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.event_words import place_words
from companion.web.pairing import Pairing
from companion.web.sentences import GamePlayers, doubt_words, refusal, sentence
from companion.web.sessions import begin_game
from engine.errors import Illegal
from engine.record_header import new_record
from vision import messages
from vision.messages import Doubt
from vision.process.protocol import Over
from vision.sources.jpeg import Unusable


@pytest.mark.parametrize(
    ("language", "which", "what"),
    [
        (
            "en",
            "Which card was it: Guard, Bishop?",
            "“uses Fool: 4 become 6, rolls 5 4” or “none of these happened”?",
        ),
        ("de", "Welche Karte war es: Wachmann, Bischof?", "„nutzt Hofnarr: aus 4 wird 6, würfelt 5 4“"),
        ("ja", "どのカードでしたか：衛兵、司教？", "道化師"),
    ],
)
def test_cards_and_events_in_a_question_are_in_the_visitors_language(
    app_state: AppState, tmp_path: Path, language: str, which: str, what: str
) -> None:
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": language}):
        assert sentence(message(WHICH_CARD, cards="guard, bishop")) == which
        happened = message(WHAT_HAPPENED, first="A use fool 4 > 6, A roll 5 4", second="–")
        assert what in sentence(happened, GamePlayers("krone", {"A": "Anna"}))


def test_a_question_about_a_castle_names_it_as_its_players_do(app_state: AppState, tmp_path: Path) -> None:
    players = GamePlayers("knatsch", {"A": "Anna", "B": "Bert"})
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        asked = sentence(message(WHAT_HAPPENED, first="A target castle-red", second="B target left"), players)
        thrown = sentence(message(WHICH_VALUE, first="roll 5 4", second="roll 5 3"), players)
    assert "„würfelt 5 4“" in thrown
    assert "greift an: Rote Burg" in asked
    assert "castle" not in asked


def test_refusals_quote_entries_and_stacks_in_words(app_state: AppState, tmp_path: Path) -> None:
    """Bug: they showed `B keep 6 6` and `left`, words of the record."""
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    players = GamePlayers("krone", {"A": "Anna", "B": "Bert"})
    broken = Illegal("fix “{entry}” (entry {place}) first: {why}", entry="B keep 6 6", place=2, why="…")
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert refusal(broken, players) == "fix “Bert sets aside 6 6” (entry 2) first: …"
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert refusal(Illegal("the {side} is empty", side="left stack")) == "dieser Stapel ist leer (linker Stapel)"


def test_a_past_game_names_its_own_players_while_others_play_now(app_state: AppState, tmp_path: Path) -> None:
    """Bug: seats of a past game had the names of the running one."""
    archive = app_state.past.archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    game_id, table = game_repository.begin(archive, new_record("krone", ("Anna", "Bert")))
    for event in ("A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer"):
        table.enter(event)
    table.insert("B roll 1 1 1", table.lines[0].number)  # it is not Bert's turn
    begin_game(app_state, "krone", ("Carl", "Dora"))
    page = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client().get(f"/history/{game_id}")
    text = page.get_data(as_text=True)
    assert "it is Anna’s turn, not Bert’s" in text
    assert "Carl" not in text
    archive.close()


def test_a_player_called_like_a_card_or_a_stack_keeps_the_name(app_state: AppState, tmp_path: Path) -> None:
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert place_words(("castle-red",), "left") == "left · Rote Burg"


def test_why_a_camera_is_lost_is_shown_in_the_visitors_language(app_state: AppState, tmp_path: Path) -> None:
    why = Unusable(Doubt(messages.NOT_OPENED, number=0)).sentence
    over = pickle.loads(pickle.dumps(Over(why)))  # as it comes from the process that watches
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert doubt_words(over.why).startswith("Kamera 0 lässt sich nicht öffnen")
        assert doubt_words(Unusable("demo.mp4 is empty").sentence) == "demo.mp4 is empty"


def test_numbers_have_the_comma_or_point_of_the_language(app_state: AppState, tmp_path: Path) -> None:
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    said = []
    for language in ("en", "de", "ja"):
        with app.test_request_context(headers={"Accept-Language": language}):
            said.append((decimal(27.94), decimal(8.2, 0), decimal(1234.5)))
    assert said == [("27.9", "8", "1234.5"), ("27,9", "8", "1234,5"), ("27.9", "8", "1234.5")]


@pytest.mark.slow
def test_camera_messages_with_numbers_are_translated(app_state: AppState, tmp_path: Path) -> None:
    """Bug: template and values were parsed from the English sentence, although both are known."""
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert doubt_words(Doubt(messages.FEWER, seen=2, before=3)).startswith("Ich sehe 2 Würfel, vor dem Wurf")
        assert doubt_words(Doubt(messages.HAND)) != messages.HAND
        assert doubt_words("a reason from elsewhere") == "a reason from elsewhere"
