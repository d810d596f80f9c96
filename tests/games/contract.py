"""The contract that every game fulfils, whatever its rules; one function for each check."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from typing import Any, TypeVar

import pytest
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from companion.advice.budget import Budget
from companion.advice.statistics import fairness
from companion.game.archived import game_repository
from companion.game.referee.transitions import Transitions
from companion.game.table import Table
from companion.i18n.languages import CATALOGUES
from companion.plugins import GamePlugin, plugin
from companion.web.app_state import AppState
from companion.web.sessions import begin_game
from companion.web.static_files import folders_of_games, static_files
from engine.dice import UNREAD
from engine.errors import Illegal
from engine.games import Game, Setup, game
from engine.names import called
from engine.record import Entry
from engine.record_header import new_record
from engine.registry import LANGUAGES
from engine.replay import Replay, read_game, replay_record, rolled_faces

NAMES = ("Anna", "Bert")
T = TypeVar("T")
MOST = 5000  # events of a random game; all end long before


def tags(one: GamePlugin) -> dict[str, str]:
    return one.tags({}, b"")


def random_game(game_id: str, seed: int) -> Replay:
    """A random game in which events that end a turn are likelier.

    Rolls have unusually many equal dice and players set more dice aside, so that everything in the game can happen.
    """
    return _random_game(game(game_id), game_id, seed)


@cache
def _random_game(rules: Game, game_id: str, seed: int) -> Replay:
    chance = random.Random(f"{game_id} {seed}")
    record = new_record(game_id, NAMES, **tags(plugin(game_id)))
    state, entries = rules.start(record.setup()), list[Entry]()
    while not state.finished and len(entries) < MOST:
        entry = _chosen(chance, rules, state, plugin(game_id).view.turn_end_verbs)
        entries.append(entry)
        state = rules.play(state, entry.seat, entry.event)
    return replay_record(type(record)(record.tags, tuple(entries)))


def begun(game_id: str, most: int) -> Replay:
    """The first events of a random game."""
    record = random_game(game_id, 1).record
    return replay_record(type(record)(record.tags, record.entries[:most]))


def _chosen(chance: random.Random, rules: Game, state: Any, ending: Sequence[str]) -> Entry:
    """A random legal event; with a probability of one half, one of `ending`, the verbs that end a turn."""
    by_verb: dict[str, list[Entry]] = {}
    for seat, event in moves(rules, state):
        by_verb.setdefault(event.verb, []).append(Entry(seat, event))
    ends = [verb for verb in by_verb if verb in ending]
    verb = chance.choice(ends if ends and chance.random() < 0.5 else list(by_verb))
    pool = by_verb[verb]
    if verb == "roll":
        return max(_some(chance, pool, 12), key=lambda one: max(map(one.event.dice.count, one.event.dice)))
    if verb == "keep" and chance.random() < 0.8:
        return max(pool, key=lambda one: len(one.event.dice))
    return chance.choice(pool)


def moves(rules: Game, state: Any) -> Iterator[tuple[str, Any]]:
    """What `legal` lists, with every event of a pattern."""
    for move in rules.legal(state):
        if isinstance(move, tuple):
            yield move
        else:
            yield from move


def _some(chance: random.Random, pool: Sequence[T], most: int) -> list[T]:
    return chance.sample(list(pool), min(most, len(pool)))


def random_games_end(game_id: str, here: AppState, client: FlaskClient) -> None:
    for seed in (1, 2):
        assert random_game(game_id, seed).state.finished, seed


def the_text_of_a_random_game_is_the_same_game_again(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay = random_game(game_id, 1)
    again = read_game(replay.text())
    assert again.state == replay.state
    assert again.text() == replay.text()


def a_position_s_text_is_the_same_position_again(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay = begun(game_id, 120)
    rules = replay.game
    for state in _some(random.Random(1), replay.states, 20):
        setup = replay.record.setup()
        again = rules.start(Setup(setup.players, setup.ruleset, rules.position_text(state), setup.tags))
        assert rules.position_text(again) == rules.position_text(state)


def verify_can_and_play_agree(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay, chance = begun(game_id, 150), random.Random(3)
    rules = replay.game
    tried = _some(chance, replay.record.entries, 40)
    for state in _some(chance, replay.states, 12):
        for entry in tried:
            allowed = rules.can(state, entry.seat, entry.event)
            for act in (rules.verify, rules.play):
                with nullcontext() if allowed else pytest.raises(Illegal):
                    act(state, entry.seat, entry.event)


def explain_is_the_inverse_of_play(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay, chance = begun(game_id, 150), random.Random(9)
    rules, explained = replay.game, 0
    for state, entry in _some(chance, list(zip(replay.states, replay.record.entries, strict=False)), 80):
        then = rules.play(state, entry.seat, entry.event)
        active, kept = rules.on_table(then)
        found = rules.explain(state, active, kept, cards=1)
        for course in found:
            end = state
            for event in course.events:
                end = rules.play(end, state.seat, event)
            assert end == course.state
        here_rolled = rules.rolled(entry.event) and entry.seat == state.seat and then.round == state.round
        if here_rolled and (active or kept) and rules.on_turn(then) == rules.on_turn(state):
            explained += 1
            assert (entry.event,) in [course.events for course in found]
    assert explained


def every_refusal_is_said_in_every_language(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay, chance = begun(game_id, 150), random.Random(4)
    templates = set()
    for state in _some(chance, replay.states, 40):
        for entry in _some(chance, replay.record.entries, 40):
            try:
                replay.game.verify(state, entry.seat, entry.event)
            except Illegal as refusal:
                templates.add(refusal.template)
    assert templates
    for language in set(LANGUAGES) - {"en"}:
        with (CATALOGUES / f"{language}.po").open("rb") as stream:
            catalogue = read_po(stream)
        said = {message.id for message in catalogue if message.string}
        assert templates - said == set(), language


def undo_and_redo_bring_every_event_back(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay = begun(game_id, 40)
    table = Table(new_record(game_id, NAMES, **tags(plugin(game_id))))
    texts = [f"{entry.seat} {replay.game.event_text(entry.event)}" for entry in replay.record.entries]
    for text in texts:
        table.enter(text)
    full = table.replay.text()
    for _ in texts:
        table.undo()
    assert not table.lines
    while table.to_redo:
        table.redo()
    assert table.replay.text() == full


def statistics_count_every_die(game_id: str, here: AppState, client: FlaskClient) -> None:
    replay = begun(game_id, 150)
    words = [line.split() for line in replay.text().splitlines() if line[:2] in ("A ", "B ")]
    rolled = sum(word.isdigit() for line in words if line[1] == "roll" for word in line[2:])
    assert rolled > 0
    counted = [face for _, face in rolled_faces(replay.game, replay.record.entries) if face != UNREAD]
    assert len(counted) >= rolled
    assert fairness(replay.record).rolled == len(counted)


def advice_answers_or_is_absent_by_declaration(game_id: str, here: AppState, client: FlaskClient) -> None:
    one, replay = plugin(game_id), begun(game_id, 60)
    if one.think is None:
        assert one.review is None
        return
    known = [list(one.think(state, Budget(lambda: True))) for state in replay.states[:12]]
    assert all(known)


def pages_of_a_running_and_a_past_game_are_drawn_in_every_language(
    game_id: str, here: AppState, client: FlaskClient
) -> None:
    one, replay = plugin(game_id), random_game(game_id, 1)
    begin_game(here, game_id, NAMES, **tags(one))
    assert here.session.running is not None
    for entry in replay.record.entries[:12]:
        here.session.running.table.enter(f"{entry.seat} {replay.game.event_text(entry.event)}")
    assert here.past.archive is not None
    past = game_repository.import_record(here.past.archive, replay.text())
    addresses = ["/", "/me/A", "/television", "/overlay", "/new", "/cards", "/history", f"/history/{past}", "/feed"]
    addresses += [f"/overlay/{part}" for part in ("turn", "dice", "offers", "players", "chances")]
    addresses += [f"/correct/{here.session.running.table.lines[-1].number}"]
    for language in LANGUAGES:
        client.post("/language", data={"language": language})
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code == 200, (language, address)
    offered = {
        "review": one.review,
        "moves": one.review,
        "chances": one.win_chances,
        "training": one.review,
        "whatif/1": one.what_if,
    }
    for entry in replay.record.entries[12:]:
        here.session.running.table.enter(f"{entry.seat} {replay.game.event_text(entry.event)}")
    assert [address for address in addresses[:4] if client.get(address).status_code != 200] == []
    for part, there in offered.items():
        assert (client.get(f"/history/{past}/{part}").status_code == 404) == (there is None), part


def its_style_sheets_are_linked_and_served(game_id: str, here: AppState, client: FlaskClient) -> None:
    begin_game(here, game_id, NAMES, **tags(plugin(game_id)))
    own = [path.name for path in static_files().values() if game_id in path.parts]
    assert all(name.startswith(game_id) for name in own)
    page = client.get("/").get_data(as_text=True)
    for name in own:
        address = f"{client.application.static_url_path}/{name}"
        assert address in page
        assert client.get(address).status_code == 200


def a_plug_in_is_whole(game_id: str, here: AppState, client: FlaskClient) -> None:
    one, rules = plugin(game_id), game(game_id)
    assert (one.id, rules.ID) == (game_id, game_id)
    asked = {name for name in vars(Transitions) if not name.startswith("_")}
    assert one.transitions is None or not {name for name in asked if not hasattr(one.transitions, name)}
    needed = {"board", "phone", "air"} | ({"catalogue"} if one.view.catalogue else set())
    needed |= ({"situation"} if one.review else set()) | ({"use"} if one.use_dialog else set())
    templates = {
        path.name for folder in folders_of_games("templates") for path in folder.glob("*.html") if game_id in path.parts
    }
    assert {one.template(part) for part in needed} <= templates
    assert all(name.startswith(f"{game_id}_") for name in templates)
    ids = one.cards.kinds() if one.cards else ()
    assert all(called(card, language) for card in ids for language in LANGUAGES)


CHECKS: tuple[Callable[[str, AppState, FlaskClient], None], ...] = (
    random_games_end,
    the_text_of_a_random_game_is_the_same_game_again,
    a_position_s_text_is_the_same_position_again,
    verify_can_and_play_agree,
    explain_is_the_inverse_of_play,
    every_refusal_is_said_in_every_language,
    undo_and_redo_bring_every_event_back,
    statistics_count_every_die,
    advice_answers_or_is_absent_by_declaration,
    pages_of_a_running_and_a_past_game_are_drawn_in_every_language,
    its_style_sheets_are_linked_and_served,
    a_plug_in_is_whole,
)
