"""Castles dealt and cards turned up in Knatsch are seen; a card that lies before somebody else is told."""

from __future__ import annotations

import pytest

from companion.game.decks import deck_tags
from companion.game.knatsch_cards import KnatschCardReferee
from companion.game.table import Table
from engine.record_header import new_record
from vision.cards.types import SeenCard
from vision.cards.watching import CardsSeen, LyingCard

LATER = 30.0


@pytest.fixture
def table() -> Table:
    return Table(new_record("knatsch", ("Anna", "Bert"), **deck_tags("knatsch", None)))


def lies(zone: str, kind: str, odds: float = 6.0, since: float = 10.0) -> LyingCard:
    quad = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    return LyingCard(zone, SeenCard(kind, 0.99, quad, 0), since, since, odds, 0.0)


def judge(table: Table, *lying: LyingCard, stirring: frozenset[str] = frozenset()) -> object:
    return KnatschCardReferee(table).judge(CardsSeen(LATER, lying, (), stirring), LATER)


def recorded(table: Table) -> list[str]:
    return [line.event for line in table.lines]


def test_a_castle_that_comes_to_lie_before_its_player_is_dealt(table: Table) -> None:
    judge(table, lies("A", "castle-red"))
    assert recorded(table) == ["A deal castle-red"]
    assert table.lines[0].by == "camera"
    judge(table, lies("A", "castle-red"), lies("B", "castle-blue"))
    assert recorded(table) == ["A deal castle-red", "B deal castle-blue"]


def test_a_castle_hardly_recognised_or_under_a_hand_is_not_dealt(table: Table) -> None:
    judge(table, lies("A", "castle-red", odds=1.0))
    judge(table, lies("A", "castle-red"), stirring=frozenset({"A"}))
    assert recorded(table) == []


@pytest.fixture
def dealt(table: Table) -> Table:
    table.enter("A deal castle-red")
    table.enter("B deal castle-blue")
    return table


def test_a_card_on_top_of_a_stack_is_turned_up(dealt: Table) -> None:
    judge(dealt, lies("left", "dice-4"))
    assert recorded(dealt)[-1] == "A reveal left dice-4"


def test_a_castle_before_the_wrong_player_is_told_with_its_owner(dealt: Table) -> None:
    news = judge(dealt, lies("B", "castle-red"), lies("B", "castle-blue"))
    said = [notice.sentence.values for notice in news.notices]  # type: ignore[attr-defined]
    assert said == [{"card": "castle-red", "seat": "B", "owner": "A"}]
