"""What came of a full house, as a table and a verdict."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

LIMIT = 500.0  # ms: 99 of 100 must be quicker


@dataclass(slots=True)
class Told:
    """Everything measured. waits: seconds by kind; rates: pictures read a second, every ten seconds, `alone` without
    the crowd; shown and kept: the record on the page at the end, and in the archive afterwards."""

    viewers: int
    players: int
    seconds: float
    worked: float
    alone: float
    rates: list[float]
    waits: dict[str, list[float]]
    failures: list[str]
    behind: int
    sent: int
    bought: int
    shown: str
    kept: str = ""

    @property
    def lost(self) -> int:
        """Events that the page showed or a phone was told of, and that the archive does not have."""
        shown, kept = Counter(_events(self.shown)), Counter(_events(self.kept))
        purchases = sum(" buy " in event for event in _events(self.kept))
        return sum((shown - kept).values()) + max(0, self.bought - purchases)


def report(told: Told) -> tuple[str, bool]:
    """The text, and whether all limits are met."""
    lines = [
        f"{told.viewers} viewers, {told.players} players' phones and a phone as camera for {told.seconds / 60:.1f} "
        f"minutes on {os.cpu_count()} cores (load at the end {os.getloadavg()[0]:.1f}); "
        f"the server used {told.worked / told.seconds * 100:.0f} % of a core.",
        "",
        "| what | times | p50 ms | p95 ms | p99 ms | worst ms |",
        "|---|---|---|---|---|---|",
    ]
    late = False
    for kind, seconds in told.waits.items():
        if seconds:
            half, most, nearly, worst = np.percentile(np.array(seconds) * 1000, [50, 95, 99, 100])
            late = late or nearly >= LIMIT
            lines.append(f"| {kind} | {len(seconds):,} | {half:.0f} | {most:.0f} | {nearly:.0f} | {worst:.0f} |")
    events = _events(told.kept)
    lines += [
        "",
        f"Pictures read a second: {told.alone:.1f} with nobody else there, {np.mean(told.rates):.1f} with everybody "
        f"(worst ten seconds {min(told.rates):.1f}); {told.sent:,} were sent.",
        "",
        f"Events on record at the end: {len(events)}, {told.bought} of them purchases from players' phones; "
        f"lost: {told.lost}. Viewers who did not show the last event: {told.behind}. "
        f"Failed requests: {len(told.failures)}.",
    ]
    lines += [f"- {count} × {failure}" for failure, count in Counter(told.failures).most_common(10)]
    return "\n".join(lines), not (late or told.behind or told.failures or told.lost)


def _events(record: str) -> list[str]:
    return re.findall(r"^[A-F] [^{;]+", record, re.MULTILINE)
