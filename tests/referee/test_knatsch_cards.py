"""Castles dealt and cards revealed in Knatsch are recorded; a card in front of the wrong player is reported."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.game.table import Table
from companion.game.used_cards import TurnStart
from companion.games.knatsch.cards import KnatschCardReferee
from companion.games.knatsch.decks import deck_file_tags
from engine.record_header import new_record
from vision.cards.types import SeenCard
from vision.cards.watching import CardsSeen, RestingCard

LATER = 30.0


@pytest.fixture
def table() -> Table:
    return Table(new_record("knatsch", ("Anna", "Bert"), **deck_file_tags(None)))


def resting_card(
    zone: str, kind: str, odds: float = 6.0, since: float = 10.0, *, left: float = 0.0, turned: float | None = None
) -> RestingCard:
    quad = ((left, 0.0), (left + 60, 0.0), (left + 60, 90.0), (left, 90.0))
    return RestingCard(zone, SeenCard(kind, 0.99, quad, 0), since, since, odds, 0.0, turned)


def judge(table: Table, *cards: RestingCard, unread: frozenset[str] = frozenset()) -> object:
    return KnatschCardReferee(table).judge(CardsSeen(LATER, cards, (), unread), LATER)


def recorded(table: Table) -> list[str]:
    return [line.event for line in table.lines]


def test_a_castle_put_before_its_player_is_dealt(table: Table) -> None:
    judge(table, resting_card("A", "castle-red"))
    assert recorded(table) == ["A deal castle-red"]
    assert table.lines[0].by == "camera"
    judge(table, resting_card("A", "castle-red"), resting_card("B", "castle-blue"))
    assert recorded(table) == ["A deal castle-red", "B deal castle-blue"]


def test_a_castle_hardly_recognised_or_under_a_hand_is_not_dealt(table: Table) -> None:
    judge(table, resting_card("A", "castle-red", odds=1.0))
    judge(table, resting_card("A", "castle-red"), unread=frozenset({"A"}))
    assert recorded(table) == []


@pytest.fixture
def dealt(table: Table) -> Table:
    table.enter("A deal castle-red")
    table.enter("B deal castle-blue")
    return table


def test_a_card_on_top_of_a_stack_is_turned_up(dealt: Table) -> None:
    judge(dealt, resting_card("left", "dice-4"))
    assert recorded(dealt)[-1] == "A reveal left dice-4"


def test_a_castle_before_the_wrong_player_is_reported_with_its_owner(dealt: Table) -> None:
    news = judge(dealt, resting_card("B", "castle-red"), resting_card("B", "castle-blue"))
    said = [notice.sentence.values for notice in news.notices]  # type: ignore[attr-defined]
    assert said == [{"card": "castle-red", "seat": "B", "owner": "A"}]


def test_a_card_turned_sideways_is_attacked(dealt: Table) -> None:
    dealt.enter("A reveal left dice-4 4-4-4+1")
    dealt.enter("A reveal right catapult 2-2-2+1")
    referee, upright = KnatschCardReferee(dealt), resting_card("right", "catapult")
    referee.judge(CardsSeen(LATER, (upright,)), LATER)
    assert recorded(dealt)[-1] == "A reveal right catapult 2-2-2+1"
    across = resting_card("right", "catapult", turned=LATER + 1)
    referee.judge(CardsSeen(LATER + 1, (across,)), LATER + 3)
    assert recorded(dealt)[-1] == "A target right"


def test_cards_turned_before_an_attempt_was_over_do_not_belong_to_the_next() -> None:
    game = SimpleNamespace(ends_turn=lambda event: False)
    state = SimpleNamespace(round=1, seat="A", attempt=None)
    clock = TurnStart(SimpleNamespace(record=SimpleNamespace(game=game, entries=()), state=state))  # type: ignore[arg-type]
    for seconds, attempt in ((1.0, None), (2.0, "running"), (3.0, "running"), (4.0, None), (5.0, None)):
        state.attempt = attempt
        clock.update(seconds)
    assert clock.began == 4.0


def test_a_card_not_taken_is_not_the_next_one_while_it_is_still_there(dealt: Table) -> None:
    dealt.enter("A reveal left dice-4 4-4-4+1")
    dealt.enter("A reveal right catapult 2-2-2+1")
    referee, card = KnatschCardReferee(dealt), resting_card("right", "catapult")
    referee.judge(CardsSeen(LATER, (card,)), LATER)
    for line in ("A target right", "A roll 1 1 2 3 4 5", "A stop"):
        dealt.enter(line)
    before = recorded(dealt)
    referee.judge(CardsSeen(LATER, (card,)), LATER + 5)
    assert recorded(dealt) == before
    referee.judge(CardsSeen(LATER, (resting_card("right", "dice-5", since=LATER + 6),)), LATER + 8)
    assert recorded(dealt)[-1] == "B reveal right dice-5"


def test_a_top_card_that_went_under_its_stack_is_noticed_with_the_one_below(dealt: Table) -> None:
    dealt.enter("A reveal left dice-4 4-4-4+1")
    dealt.enter("A reveal right castle-red 2-2-2+1")
    referee, below = KnatschCardReferee(dealt), resting_card("right", "catapult")
    for _ in range(2):
        referee.judge(CardsSeen(LATER, (resting_card("left", "dice-4"), below)), LATER)
    assert recorded(dealt)[-2:] == ["A under right", "A reveal right catapult"]


def test_a_top_card_in_front_of_a_player_did_not_go_under(dealt: Table) -> None:
    dealt.enter("A reveal left dice-4 4-4-4+1")
    dealt.enter("A reveal right special-guard 2-2-2+1")
    before = recorded(dealt)
    judge(dealt, resting_card("left", "dice-4"), resting_card("right", "catapult"), resting_card("A", "special-guard"))
    assert recorded(dealt) == before


def guarded(table: Table) -> Table:
    """Anna, who has a Castle Guard, is on turn."""
    for line in ("A reveal left castle-guard 2-2-2+1", "A reveal right dice-4 4-4-4+1", "A target left"):
        table.enter(line)
    table.enter("A roll 6 5 5 5 5 4")
    table.enter("A stop")
    assert "castle-guard" in table.state.tableau("A")
    return table


def test_a_castle_put_on_the_castle_guard_is_guarded(dealt: Table) -> None:
    table = guarded(dealt)
    judge(table, resting_card("A", "castle-guard"), resting_card("A", "castle-red", left=200.0))
    assert not recorded(table)[-1].startswith("A guard")
    judge(table, resting_card("A", "castle-guard"), resting_card("A", "castle-red", left=30.0))
    assert recorded(table)[-1] == "A guard castle-red"


def test_cards_that_overlap_in_a_row_say_nothing_of_guards(dealt: Table) -> None:
    table = guarded(dealt)
    row = [resting_card("A", kind, left=30.0 * n) for n, kind in enumerate(("dice-4", "castle-red", "castle-guard"))]
    judge(table, *row)
    assert not recorded(table)[-1].startswith("A guard")
