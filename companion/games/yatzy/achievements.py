"""Achievements of Yatzy, computed from the final scoresheets."""

from __future__ import annotations

from companion.archive.facts import Facts
from companion.i18n.languages import gettext
from companion.plugins import Achievement
from engine.yatzy.boxes import RULESETS, YATZY, YATZY_POINTS
from engine.yatzy.position import read_position
from engine.yatzy.state import Sheet

MANY_POINTS = 300


def _sheet(facts: Facts, place: int) -> Sheet:
    """The player's final scoresheet."""
    return read_position(facts.end, len(facts.players), RULESETS[facts.ruleset]).sheets[place]


ACHIEVEMENTS = (
    Achievement(
        lambda: "Yatzy!",
        lambda: gettext("wrote five alike into the Yatzy box"),
        lambda facts, place: _sheet(facts, place)[YATZY] == YATZY_POINTS,
    ),
    Achievement(
        lambda: gettext("%(count)s points", count=MANY_POINTS),
        lambda: gettext("reached %(count)s points in a game", count=MANY_POINTS),
        lambda facts, place: _sheet(facts, place).total >= MANY_POINTS,
    ),
)
