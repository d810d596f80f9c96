"""What the referee asks is asked in the visitor's language, the cards and events it names included."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from companion.game.referee.sentences import WHAT_HAPPENED, WHICH_CARD, WHICH_VALUE, said
from companion.i18n.words import decimal
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from companion.web.words_said import doubt_words, refusal, sentence
from engine.errors import Illegal
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
def test_cards_and_events_in_a_question_are_told_in_the_visitors_language(
    app_state: AppState, tmp_path: Path, language: str, which: str, what: str
) -> None:
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": language}):
        assert sentence(said(WHICH_CARD, cards="guard, bishop")) == which
        happened = said(WHAT_HAPPENED, first="A use fool 4 > 6, A roll 5 4", second="–")
        assert what in sentence(happened)


def test_a_question_about_a_castle_names_it_as_its_players_do(app_state: AppState, tmp_path: Path) -> None:
    begin_game(app_state, "knatsch", ("Anna", "Bert"))
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        asked = sentence(said(WHAT_HAPPENED, first="A target castle-red", second="B target left"))
        thrown = sentence(said(WHICH_VALUE, first="roll 5 4", second="roll 5 3"))
    assert "„würfelt 5 4“" in thrown
    assert "greift an: Rote Burg" in asked
    assert "castle" not in asked


def test_refusals_quote_entries_and_stacks_in_words(app_state: AppState, tmp_path: Path) -> None:
    """They showed `B keep 6 6` and `left`, the words of a record."""
    begin_game(app_state, "krone", ("Anna", "Bert"))
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    broken = Illegal("fix “{entry}” (entry {place}) first: {why}", entry="B keep 6 6", place=2, why="…")
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert refusal(broken) == "fix “Bert sets aside 6 6” (entry 2) first: …"
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert refusal(Illegal("the {side} is empty", side="left stack")) == "dieser Stapel ist leer (linker Stapel)"


def test_why_a_camera_is_lost_is_told_in_the_visitors_language(app_state: AppState, tmp_path: Path) -> None:
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


def test_what_the_camera_says_with_numbers_in_it_is_said_in_the_visitors_language(
    app_state: AppState, tmp_path: Path
) -> None:
    """Its template and values are at hand; they were parsed out of the English sentence."""
    app = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert doubt_words(Doubt(messages.FEWER, seen=2, before=3)).startswith("Ich sehe 2 Würfel, vor dem Wurf")
        assert doubt_words(Doubt(messages.HAND)) != messages.HAND
        assert doubt_words("a reason from elsewhere") == "a reason from elsewhere"
