"""Achievements of Um Krone und Kragen."""

from __future__ import annotations

from companion.archive.facts import Facts
from companion.i18n.languages import gettext
from companion.plugins import Achievement

FEW_CARDS = 7


def _won(facts: Facts, place: int) -> bool:
    return facts.players[place] in facts.winners


ACHIEVEMENTS = (
    Achievement(
        lambda: gettext("Usurper"),
        lambda: gettext("won the crown although someone else held the King"),
        lambda facts, place: _won(facts, place) and "king" not in facts.seats[place].cards,
    ),
    Achievement(
        lambda: gettext("Small court"),
        lambda: gettext("won with at most %(count)s cards", count=FEW_CARDS),
        lambda facts, place: _won(facts, place) and len(facts.seats[place].cards) <= FEW_CARDS,
    ),
)
