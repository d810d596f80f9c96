"""Which dice count as rolled: what luck and fairness are computed from."""

from __future__ import annotations

import pytest

from engine.games import game
from engine.record import Entry
from engine.replay import rolled_faces


def faces(game_id: str, *events: str) -> list[tuple[str, int]]:
    plays = game(game_id)
    return sorted(rolled_faces(plays, [Entry(text[0], plays.read_event(text[2:])) for text in events]))


def test_dice_rolled_again_by_a_fool_count_and_unread_ones_do_not() -> None:
    assert faces("krone", "A roll 6 ? 2", "A use fool 2 > 5", "A keep 6", "B roll 1") == [
        ("A", 2), ("A", 5), ("A", 6), ("B", 1),
    ]  # fmt: skip


def test_a_die_that_a_card_turns_is_not_rolled() -> None:
    assert faces("krone", "A roll 6 2", "A use farmer", "A use philosopher 6 2 > 5 3") == [("A", 2), ("A", 6)]


@pytest.mark.parametrize("event", ["A keep 6 6", "A stop", "A target left"])
def test_knatsch_rolls_dice_with_roll_only(event: str) -> None:
    assert faces("knatsch", "A roll 6 6 1", event) == [("A", 1), ("A", 6), ("A", 6)]
