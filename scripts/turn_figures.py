"""Figures of judged turns: shares with their intervals, by layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.kit.evaluation.photos import share
from tests.kit.setting import LAYOUTS
from tests.kit.turn_score import TurnScore

QUESTIONS = "one explanation, and still a question"
# Accuracy targets for players who wait.
TARGETS = {
    "one explanation, recorded exactly": "≥ 99.8 %",
    "several, the true one in the first three": "≥ 99.4 %",
    "undetected errors": "≤ 0.1 %",
    QUESTIONS: "≤ 6 %, with nothing known 10 %",
}


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One judged turn. `story`: what went wrong, in words, if anything did; `spent`: seconds for each reading."""

    number: int
    score: TurnScore
    story: str
    spent: tuple[float, ...]


def _by_layout(judged: Sequence[JudgedTurn]) -> dict[str, list[TurnScore]]:
    """All turns, then those of each layout."""
    found = {"all layouts": [one.score for one in judged]}
    for place, layout in enumerate(LAYOUTS):
        found[layout] = [one.score for one in judged if one.number % len(LAYOUTS) == place]
    return found


def _shares(scores: Sequence[TurnScore]) -> dict[str, list[bool]]:
    """By name, whether each turn that counts achieves it."""
    return {
        "one explanation, recorded exactly": [one.exact for one in scores if not one.ambiguous],
        "several, the true one in the first three": [one.offered for one in scores if one.ambiguous],
        "undetected errors": [not one.exact and not one.doubted for one in scores],
        "wrong, other possibilities only mentioned": [
            not one.exact and one.doubted and not one.asked for one in scores
        ],
        "turns with a question": [one.asked for one in scores],
        QUESTIONS: [one.asked for one in scores if not one.ambiguous],
    }


def as_rows(judged: Sequence[JudgedTurn]) -> list[dict[str, object]]:
    """A row for each share with its target; a column for each layout, with 95 % intervals."""
    columns = {
        f"{layout} ({len(scores)} turns)": _shares(scores) for layout, scores in _by_layout(judged).items() if scores
    }
    return [
        {
            "share": name,
            "target": TARGETS.get(name, ""),
            **{column: _of(found[name]) for column, found in columns.items()},
        }
        for name in _shares([])
    ]


def _of(good: Sequence[bool]) -> str:
    return f"{sum(good)} of {len(good)}, {share(sum(good), len(good), 2)}" if good else ""


def spent(judged: Sequence[JudgedTurn]) -> str:
    """Time to judge readings."""
    slow = sorted(seconds for one in judged for seconds in one.spent) or [0.0]
    usual, rare, most = (1000 * slow[int(q * (len(slow) - 1))] for q in (0.5, 0.99, 1.0))
    return f"time to judge a reading, ms: median {usual:.2f}, 99 % {rare:.1f}, most {most:.0f}"
