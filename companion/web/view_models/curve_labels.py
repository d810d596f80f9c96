"""Positions of the players' names beside the win probability chart."""

from __future__ import annotations

from collections.abc import Sequence

from companion.advice.win_curve import WinChancesAt

_LABEL = 16  # height of a name in the chart's units


def label_places(timeline: Sequence[WinChancesAt]) -> list[tuple[int, float]]:
    """(seat, y in the chart) of each name, as close to the end of its line as possible without overlap."""
    if not timeline:
        return []
    ends = sorted((220 - 200 * chance, seat) for seat, chance in enumerate(timeline[-1].chances))
    heights: list[float] = []
    for wish, _ in ends:
        heights.append(max(wish + 4, heights[-1] + _LABEL if heights else 0))
    lowest = 224.0
    for place in reversed(range(len(heights))):  # only names pushed below the chart move up again
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - _LABEL
    return [(seat, round(y, 1)) for (_, seat), y in zip(ends, heights, strict=True)]
