"""The review of a game of Knatsch: cost of decisions, luck, win probabilities over time, and its pages."""

from __future__ import annotations

import random
import re
from math import factorial
from pathlib import Path

import pytest

from companion.advice.win_curve import win_curve
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.games.knatsch.advice import knatsch_value_function
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.advice.review import joined
from engine.dice import Faces, rolls
from engine.errors import CourtsideError
from engine.knatsch.advice.odds import beat
from engine.knatsch.advice.review import review_moves
from engine.knatsch.advice.targets import stake
from engine.knatsch.combination import read
from engine.knatsch.events import Event, Keep, Pass, Roll, Stop, Target, Top
from engine.knatsch.game import read_event
from engine.knatsch.rules import play
from engine.knatsch.state import State
from engine.record_text import write_record
from engine.replay import replay_record
from tests.engine.knatsch_table import BLUE, GREEN, RED, after, knatsch_state
from tests.kit.knatsch_turns import sensible_game
from tests.kit.matches.knatsch_players import Advised, play_game
from tests.kit.matches.knatsch_weights import HAND_MADE


def weight(roll: Faces) -> int:
    """Number of the 6**n ordered results that give this multiset: n! / Π(count!)."""
    ways = factorial(len(roll))
    for face in set(roll):
        ways //= factorial(roll.count(face))
    return ways


def attacking(*lines: str) -> State:
    """A attacks the green castle on the stack."""
    return after(knatsch_state(RED, BLUE, left=GREEN, right="stack=5-5-5+4"), "A target left", *lines)


def looked_back(state: State, *lines: str):  # type: ignore[no-untyped-def]
    moves = [(line[0], read_event(line[2:])) for line in lines]
    return joined(review_moves(state, moves, HAND_MADE)).decisions


def test_giving_up_a_beaten_castle_costs_the_win_chance_at_stake() -> None:
    state = attacking("A roll 4 4 4 4 1 1", "A keep 4 4 4 4", "A roll 2 1")
    (kept,) = looked_back(state, "A keep 2 1")
    left = float(beat(read("3-3-3+4"), 1, (1, 1, 2, 2, 3, 3)))  # no more than about that
    assert kept.best == Stop()
    assert stake(state, HAND_MADE) > 0.05
    assert kept.cost > (1 - max(left, 0.3)) * stake(state, HAND_MADE)
    assert looked_back(state, "A stop")[0].cost == 0


def test_luck_is_the_gain_of_a_roll_over_its_expectation() -> None:
    state = attacking("A roll 2 2 2 5 1 6", "A keep 2 2 2")
    lucks = {dice: looked_back(state, f"A roll {' '.join(map(str, dice))}")[0].luck for dice in rolls(2)}
    assert sum(luck * weight(dice) for dice, luck in lucks.items()) == pytest.approx(0, abs=1e-12)
    assert lucks[2, 2] > 0 > lucks[6, 6]


def test_the_luck_of_a_first_throw_goes_from_the_chance_before_to_the_chance_after() -> None:
    state = attacking()
    before, dice = float(beat(read("3-3-3+4"), 3)), (2, 2, 3, 5, 5, 6)
    found = looked_back(state, "A roll 5 5 3 2 2 6")[0].luck
    expected = (float(beat(read("3-3-3+4"), 2, dice)) - before) * stake(state, HAND_MADE)
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_castle_that_could_have_been_defended_is_given_away() -> None:
    state = after(
        knatsch_state(RED, f"{BLUE} {GREEN}", "castle-yellow=2-2-2+1", left="stack=5-5-5+4"),
        "A target B castle-green",
        "A roll 3 3 3 5 1 1",
        "A stop",
    )
    assert state.seat == "B"
    (given,) = looked_back(state, "B pass")
    assert given.cost == pytest.approx(float(beat(state.attempt.leading, 3)) * stake(state, HAND_MADE))  # type: ignore[union-attr]
    assert given.seat == "B"


def test_a_poor_target_costs_the_difference_to_the_best() -> None:
    state = knatsch_state(RED, BLUE, left="castle-green=2-2-2+1", right="stack=5-5-5+4")
    (poor,) = looked_back(state, "A target right")
    assert poor.best == Target(Top("left"))
    assert poor.cost > 0
    assert looked_back(state, "A target left")[0].cost == 0


def test_advised_play_gives_nothing_away_and_luck_belongs_to_throws_alone() -> None:
    chance, moves = random.Random(3), list[tuple[str, Event]]()
    first = _dealt(chance)

    class Noting(Advised):
        def act(self, state: State) -> Event | None:
            event = super().act(state)
            if event is not None:
                moves.append((state.seat, event))
            return event

    def thrown(count: int) -> tuple[int, ...]:
        dice = tuple(sorted(chance.randint(1, 6) for _ in range(count)))
        moves.append(("?", Roll(dice)))
        return dice

    end = play_game(first, [Noting(HAND_MADE)] * 3, thrown, lambda cards: cards[0][0], most=60)
    state, seated = first, list[tuple[str, Event]]()
    for seat, event in moves:  # who threw is who was to throw
        seated.append((state.seat if seat == "?" else seat, event))
        state = play(state, *seated[-1])
    assert state == end
    found = joined(review_moves(first, seated, HAND_MADE))
    assert all(found.decision_cost(seat) == pytest.approx(0, abs=1e-9) for seat in "ABC")
    assert all(decision.luck == 0 for decision in found.decisions if not isinstance(decision.event, Roll))
    assert {type(decision.event) for decision in found.decisions} >= {Roll, Keep, Target}
    assert not any(isinstance(decision.event, Pass) and decision.cost for decision in found.decisions)


def _dealt(chance: random.Random) -> State:
    """A state with a deck of known combinations, so that no card has to be entered."""
    castles = [f"castle-{crest}={n}-{n}-{n}+{m}" for crest, n, m in (("green", 2, 1), ("lion", 3, 1), ("red", 4, 2))]
    return knatsch_state(
        "castle-blue=3-3-3+1",
        "castle-rose=3-3-3+2",
        "castle-tower=4-4-4+2",
        left=" ".join([*castles, "dice-2=3-3-3+4", "tournament"]),
        right="dice-4=2-2-2+4 catapult=4-4-4+1 tournament tournament",
        hidden=False,
    )


@pytest.fixture
def archive(tmp_path: Path):  # type: ignore[no-untyped-def]
    kept = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    yield kept
    kept.close()


@pytest.mark.slow
def test_the_pages_of_a_past_game_look_back_on_knatsch_too(archive: Archive, tmp_path: Path) -> None:
    record = sensible_game(5, 3)
    game_id = game_repository.import_record(archive, write_record(record))
    room = AppState()
    room.past.archive = archive
    client = create_app(room, Pairing(tmp_path), Settings(port=1)).test_client()
    assert "Review" in client.get(f"/history/{game_id}").get_data(as_text=True)
    page = client.get(f"/history/{game_id}/review?whole=1").get_data(as_text=True)
    better = re.findall(r'class="better">.*?</span>\s*([^<]+)', page, re.DOTALL)
    assert len(better) >= 3  # sensible is not best
    assert all("{" not in said and said.strip().endswith(".") for said in better)
    timeline = client.get(f"/history/{game_id}/chances").get_data(as_text=True)
    assert timeline.count("<polyline") == 3
    room.close()


def test_the_course_of_the_chances_has_a_standing_a_turn_and_ends_with_the_winner() -> None:
    replay = replay_record(sensible_game(5, 3))
    timeline = win_curve(replay, lambda: False)
    assert all(sum(standing.chances) == pytest.approx(1) for standing in timeline)
    assert timeline[-1].chances == knatsch_value_function().of(replay.state)
    assert max(timeline[-1].chances) == 1
    turns = {(state.round, state.turn) for state in replay.states if not state.dealing}
    assert len(timeline) >= len(turns)


def test_an_unknown_card_is_left_out() -> None:
    with pytest.raises(CourtsideError):
        looked_back(knatsch_state(RED, BLUE, left="stack"), "A target left")
