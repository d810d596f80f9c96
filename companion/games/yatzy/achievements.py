"""Achievements of Yatzy, computed from the final scoresheets."""

from __future__ import annotations

from companion.archive.facts import Facts
from companion.i18n.languages import gettext
from companion.plugins import Achievement
from engine.yatzy.boxes import RULESETS, YATZY, YATZY_POINTS
from engine.yatzy.position import read_position
from engine.yatzy.state import Sheet

MANY_POINTS = 300


def _sheet(facts: Facts, place: int) -> Sheet | None:
    """The player's final scoresheet; None if an older version of the program stored none."""
    if not facts.end:
        return None
    return read_position(facts.end, len(facts.players), RULESETS[facts.ruleset]).sheets[place]


def _yatzy(facts: Facts, place: int) -> bool:
    sheet = _sheet(facts, place)
    return sheet is not None and sheet[YATZY] == YATZY_POINTS


def _many(facts: Facts, place: int) -> bool:
    sheet = _sheet(facts, place)
    return sheet is not None and sheet.total >= MANY_POINTS


ACHIEVEMENTS = (
    Achievement(lambda: "Yatzy!", lambda: gettext("wrote five alike into the Yatzy box"), _yatzy),
    Achievement(
        lambda: gettext("%(count)s points", count=MANY_POINTS),
        lambda: gettext("reached %(count)s points in a game", count=MANY_POINTS),
        _many,
    ),
)
