"""The results of a load test as a table and a verdict."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from tests.kit.figures import Found, Rows

LIMIT, PAGE_LIMIT = 500.0, 300.0  # ms: 99 % must be faster
WAITED_FOR = ("review",)  # kinds of requests that users wait for; the limits apply to the others


@dataclass(slots=True)
class LoadRun:
    """All measurements of one run.

    Attributes:
        worked: Processor seconds of the companion.
        alone: Images read per second without clients.
        rates: The same with clients, every ten seconds.
        waits: Seconds of each request, by kind.
        behind: Clients without the newest board at the end.
        shown: The record on the page at the end.
        events: Events in the archive afterwards.
        lost: Events that are missing there although a page or phone showed them.
    """

    viewers: int
    players: int
    secure: bool
    seconds: float
    worked: float
    load: float
    alone: float
    rates: list[float]
    waits: dict[str, list[float]]
    failures: list[str]
    behind: int
    sent: int
    bought: int
    shown: str
    events: int = 0
    lost: int = 0
    refused: list[str] = field(default_factory=list)  # refused purchases with the reason

    def keep(self, record: str) -> None:
        """Compares with this record from the archive."""
        kept = Counter(_events(record))
        purchases = sum(count for event, count in kept.items() if " buy " in event)
        self.events = kept.total()
        self.lost = (Counter(_events(self.shown)) - kept).total() + max(0, self.bought - purchases)


def together(file: Path, run: LoadRun, add: bool) -> list[LoadRun]:
    """Stores this run in the file; returns it, after the earlier ones if `add`."""
    earlier = [LoadRun(**one) for one in json.loads(file.read_text())] if add and file.exists() else []
    runs = [*earlier, run]
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps([asdict(one) for one in runs]))
    return runs


def report(runs: Sequence[LoadRun]) -> tuple[list[Found], bool]:
    """The results of all runs together, and whether all limits are met."""
    last, seconds = runs[-1], sum(run.seconds for run in runs)
    loads = ", ".join(f"{run.seconds / 60:.1f} with {run.load:.1f}" for run in runs)
    begin = (
        f"{last.viewers} viewers, {last.players} players' phones and a phone as camera for {seconds / 60:.1f} "
        f"minutes over {'HTTPS' if last.secure else 'HTTP'} on {os.cpu_count()} cores; "
        f"the server used {sum(run.worked for run in runs) / seconds * 100:.0f} % of a core. "
        f"Minutes, and the computer's load at their end: {loads}."
    )
    waits = {kind: [wait for run in runs for wait in run.waits[kind]] for kind in last.waits}
    late = any(
        np.percentile(times, 99) * 1000 >= (PAGE_LIMIT if kind == "page" else LIMIT)
        for kind, times in waits.items()
        if times and kind not in WAITED_FOR
    )
    rates = [rate for run in runs for rate in run.rates]
    behind, lost = sum(run.behind for run in runs), sum(run.lost for run in runs)
    failures = Counter(failure for run in runs for failure in run.failures)
    refused = Counter(sentence for run in runs for sentence in run.refused)
    end = (
        f"Frames read per second: {np.mean([run.alone for run in runs]):.1f} without visitors, "
        f"{np.mean(rates):.1f} with them; {sum(run.sent for run in runs):,} were sent. The rate of the last forty "
        f"frames, sampled every ten seconds, was above {np.percentile(rates, 5):.1f} in 95 % of the samples and never "
        f"below {min(rates):.1f}.\n\n"
        f"Events on record at the end: {sum(run.events for run in runs)}, {sum(run.bought for run in runs)} of them "
        f"purchases from players' phones; lost: {lost}. Viewers who did not show the last event: {behind}. "
        f"Failed requests: {failures.total()}."
    )
    for heading, sentences in (("Purchases refused, and why:", refused), ("Failed:", failures)):
        if sentences:
            end += f"\n\n{heading}\n" + "".join(f"- {count} × {one}\n" for one, count in sentences.most_common(10))
    return [begin, waiting_times(waits, (50, 95, 99)), end], not (late or behind or failures or lost)


def waiting_times(waits: Mapping[str, Sequence[float]], shares: Sequence[int]) -> Rows:
    """A row for each kind of request: percentiles and maximum in milliseconds, from seconds."""
    rows = []
    for kind, times in waits.items():
        if times:
            found = np.percentile(np.array(times) * 1000, [*shares, 100])
            names = [*(f"p{share} ms" for share in shares), "worst ms"]
            rows.append(
                {"what": kind, "times": len(times), **dict(zip(names, map(round, found.tolist()), strict=True))}
            )
    return rows


def _events(record: str) -> list[str]:
    return re.findall(r"^[A-F] [^{;]+", record, re.MULTILINE)
