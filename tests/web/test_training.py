"""Reviewing as training: partial reviews, hidden answers, other dice and cards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.advice.review_queue import Progress, ReviewQueue
from companion.archive.store import Archive
from companion.game.archived.game_repository import import_record
from companion.games.krone.advice import changed, evaluate, unchanged, value_function
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.advice.review import Review, few_options, joined
from engine.errors import Illegal
from engine.krone.advice.odds import odds
from engine.krone.advice.review import review_turns
from engine.krone.advice.turn_position import Position
from engine.replay import Replay, read_game
from tests.kit.lateness import within

GOLDEN = Path(__file__).parents[1] / "golden"
PLAYED = (GOLDEN / "krone_riogrande.txt").read_text(encoding="utf-8")
LONG = (GOLDEN / "krone_amigo.txt").read_text(encoding="utf-8")
KNATSCH = (GOLDEN / "knatsch_example_1_marc.txt").read_text(encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[AppState]:
    found = AppState(Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}"))
    yield found
    found.close()


@pytest.fixture
def client(here: AppState, tmp_path: Path) -> FlaskClient:
    return create_app(here, Pairing(tmp_path), Settings(port=1)).test_client()


def shelved(here: AppState, text: str) -> str:
    assert here.past.archive is not None
    return import_record(here.past.archive, text)


def ended(progress: Progress) -> Progress:
    progress.wait(10**6, 60)
    assert progress.done
    return progress


def test_turn_by_turn_a_review_says_the_same_as_all_at_once() -> None:
    replay = read_game(PLAYED)
    moves = [(entry.seat, entry.event) for entry in replay.record.entries]
    finished: list[tuple[Replay, Review[Any, Any]]] = []
    desk = ReviewQueue(lambda replay, found: finished.append((replay, found)))
    found = ended(desk.progress(replay)).review
    assert found == joined(review_turns(replay.states[0], moves, value_function()))
    assert found.decisions[0].options[0].cost == 0
    desk.close()


def test_the_game_asked_for_last_is_weighed_first() -> None:
    desk = ReviewQueue()
    slow = desk.progress(read_game(LONG))
    quick = desk.progress(read_game(PLAYED))
    ended(quick)
    assert not slow.ended
    desk.close()


def test_the_first_page_of_a_long_game_comes_within_two_seconds_and_shows_a_result(
    here: AppState, client: FlaskClient
) -> None:
    game_id = shelved(here, LONG)
    with within(2):
        page = client.get(f"/history/{game_id}/review").get_data(as_text=True)
    assert "data-more" in page
    assert page.count('class="did"') == 8


def test_the_answer_of_a_puzzle_is_hidden_until_the_first_try(here: AppState, client: FlaskClient) -> None:
    game_id = shelved(here, PLAYED)
    until = time.monotonic() + 60
    while "training/" not in client.get(f"/history/{game_id}/training").headers.get("Location", ""):
        assert time.monotonic() < until  # so far it only says that it is looking
    first = client.get(f"/history/{game_id}/training", follow_redirects=True)
    asked = first.get_data(as_text=True)
    assert asked.count('name="try"') >= 2
    assert not any(hint in asked for hint in ("played", "✓", "−", "what-if", "whatif", "Better move"))
    page = client.get(first.request.path + "?try=0").get_data(as_text=True)
    assert page.count("played</span>") == 1
    assert page.count("your choice</span>") == 1
    assert 'name="try"' not in page


def test_the_best_answer_of_a_puzzle_costs_nothing_and_the_played_move_is_among_the_answers() -> None:
    offers = [("a", 0.5), ("b", 0.4995), ("c", 0.45), ("d", 0.3), ("e", 0.2), ("f", 0.1)]
    found = few_options(offers, "e")
    assert [(one.choice, one.taken) for one in found] == [("a", False), ("c", False), ("d", False), ("e", True)]
    assert found[0].cost == 0
    assert sum(one.taken for one in found) == 1
    assert few_options(offers, "z") == ()


def test_knatsch_has_puzzles_and_other_dice_too(here: AppState, client: FlaskClient) -> None:
    game_id = shelved(here, KNATSCH)
    assert client.get(f"/history/{game_id}/training", follow_redirects=True).status_code == 200
    assert here.past.archive is not None
    replay = here.past.replays.game(here.past.archive, game_id).replay
    moment = next(place for place, state in enumerate(replay.states) if state.attempt and state.attempt.dice)
    page = client.get(f"/history/{game_id}/whatif/{moment}?active=555551&throws=1", headers={"X-Fragment": "part"})
    assert "<meter" in page.get_data(as_text=True)
    refused = client.get(f"/history/{game_id}/whatif/{moment}?active=55", headers={"X-Fragment": "part"})
    assert "all six dice" in refused.get_data(as_text=True)


def test_other_dice_have_the_odds_of_those_dice() -> None:
    replay = read_game(PLAYED)
    moment = next(place for place, state in enumerate(replay.states) if len(state.turn.active) == 3)
    state = replay.states[moment]
    was = unchanged(state)
    assert was is not None
    assert changed(state, was).tableaux == state.tableaux
    other = changed(state, was.__class__((6, 6, 1), was.kept, was.cards))
    found = dict(evaluate(other, lambda: False).cards)
    assert found == {card: chance.p for card, chance in odds(Position.of(other), tuple(found)).items()}
    assert found != dict(evaluate(state, lambda: False).cards)


def test_dice_that_the_cards_do_not_bring_are_refused_in_words(here: AppState, client: FlaskClient) -> None:
    replay = read_game(PLAYED)
    state = replay.states[1]
    was = unchanged(state)
    assert was is not None
    with pytest.raises(Illegal, match="there are 7 dice"):
        changed(state, was.__class__((6, 6, 1, 1, 1, 1, 1)))
    game_id = shelved(here, PLAYED)
    page = client.get(f"/history/{game_id}/whatif/1?active=6611111", headers={"X-Fragment": "part"})
    assert "There are 7 dice" in page.get_data(as_text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["training/9999", "whatif/9999", "training/1?try=99", "whatif/1?active=x&cards=dragon"]
)
def test_addresses_that_are_not_offered_harm_nothing(here: AppState, client: FlaskClient, path: str) -> None:
    assert client.get(f"/history/{shelved(here, PLAYED)}/{path}").status_code in (200, 404)
