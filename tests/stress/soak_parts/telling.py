"""What came of a soak, as a document and a verdict."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

import numpy as np

from tests.stress.soak_parts.evening import Evening, Memory

MOST_GROWTH = 0.02
WARM_SHARE = 1 / 4  # of the time that memory is watched: caches, pools and the archive's pages fill until then
# What eight hours with friends hold: a turn in 75 seconds, ten people who look at their phones, games of two hours.
EVENING = {
    "turns": 384,
    "page loads": 960,
    "reconnections": 480,
    "camera faults": 20,
    "ends of the process that reads": 5,
    "games begun": 4,
    "kills of the companion": 2,
}
_HEAD = """# More than an evening in an hour

Does anything grow, fail or get lost when everything happens at once?

Written by `nice -n 15 python -m tests.stress.soak --write docs/soak.md`. The real command watches a camera on the
network that shows the demo's film and fails every 25 seconds, or the process that reads it is killed or stopped;
viewers' and players' streams break every quarter of a minute; a host opens every page and enters whole games by hand.
In the last eighth the companion itself is killed every 20 seconds and resumed. Promised: memory of the companion
grows by no more than 2 % after the first quarter, nothing that a page has shown is lost, no request fails before the
kills.

Known limits: eight hours are not an hour: what needs time alone is not seen, and fewer pictures are read than in an
evening (`docs/endurance.md` reads 115,344 in 8 hours of film). The process that reads is begun anew many times, so its
own growth is not measured here. Threads that draw pages come when several visitors ask at once, twelve at most, and
stay. One computer, clients and all.

| what | in {minutes:.0f} minutes | in eight hours with friends |
|---|---|---|
"""


def report(evening: Evening) -> tuple[str, bool]:
    """The document, and whether all that is promised was kept."""
    count = evening.count
    text = _HEAD.format(minutes=evening.seconds / 60)
    enough = True
    for what, often in EVENING.items():
        enough &= count[what] >= often
        text += f"| {what} | {count[what]:,} | {often:,} |\n"
    text += f"| pictures read | {count['pictures']:,} | 345,600 at 12 a second |\n"
    for what in ("throws", "boards shown", "games in the archive", "lines in the archive"):
        text += f"| {what} | {count[what]:,} | |\n"
    grown, told = _growth(evening.memory)
    text += "\n" + told
    text += "\n| what | times | p50 ms | p99 ms | worst ms |\n|---|---|---|---|---|\n"
    for kind, waits in evening.waits.items():
        if waits:
            half, nearly, worst = np.percentile(np.array(waits) * 1000, [50, 99, 100])
            text += f"| {kind} | {len(waits):,} | {half:.0f} | {nearly:.0f} | {worst:.0f} |\n"
    text += (
        f"\nLines shown and not in the archive: {evening.lost.total()}. Failed before the kills: "
        f"{evening.failures.total()}.\nThe companion and what it had started used "
        f"{evening.worked:.0f} s of a processor; the load (1 min) at the end was {evening.load:.1f} "
        f"on {os.cpu_count()} cores. Seed {evening.seed}.\n"
    )
    text += "".join(f"- {times} × {what}\n" for what, times in evening.failures.most_common(10))
    text += "".join(f"- lost: {times} × {line}\n" for line, times in evening.lost.most_common(10))
    return text, enough and grown <= MOST_GROWTH and not evening.lost and not evening.failures


def _growth(memory: Sequence[Memory]) -> tuple[float, str]:
    """By how much the companion has grown since it was warm, and the table."""
    if len(memory) < 4:
        return 0.0, "Too short for memory to be told.\n"
    warm = memory[int(len(memory) * WARM_SHARE) :]
    some = max(1, len(warm) // 5)
    first, last = ([statistics.median(values) for values in _columns(part)] for part in (warm[:some], warm[-some:]))
    grown = last[0] / first[0] - 1
    text = "| minute | companion, MiB | process that reads, MiB | threads | open files |\n|---|---|---|---|---|\n"
    for one in memory[:: max(1, len(memory) // 12)]:
        values = one.seconds / 60, one.companion, one.reader, one.threads, one.files
        text += "".join(f"| {value:.0f} " for value in values) + "|\n"
    text += (
        f"\nThe companion after the first quarter and at the end of what was watched (medians of {some} minutes, "
        f"each the median of its samples): {first[0]:.0f} → {last[0]:.0f} MiB ({grown:+.1%}), "
        f"{first[1]:.0f} → {last[1]:.0f} threads, {first[2]:.0f} → {last[2]:.0f} open files.\n"
    )
    return grown, text


def _columns(part: Sequence[Memory]) -> tuple[list[float], list[float], list[float]]:
    return [one.companion for one in part], [one.threads for one in part], [one.files for one in part]
