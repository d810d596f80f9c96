"""The results of a soak test as a document and a verdict."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

from tests.kit.figures import Found
from tests.stress.load_parts.results import waiting_times
from tests.stress.soak_parts.evening import Memory, SoakEvening

MOST_GROWTH = 0.02
WARM_SHARE = 1 / 4  # share of the time before growth counts: caches, pools and the archive's pages fill
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
IN_AN_EVENING = "in eight hours with friends"
TITLE = "More than an evening in an hour"
ABOUT = """
Does anything grow, fail or get lost when everything happens at once?

The real command watches a network camera that shows the demo and fails every 25 seconds, or the vision process is
killed or stopped. Event streams of viewers and players break every quarter of a minute; a host opens every page and
enters whole games. In the last eighth, the program itself is killed every 20 seconds and resumed. Targets: its memory
grows by at most 2 % after the first quarter, nothing that a page has shown is lost, and no request fails before the
kills.

Limits of this test: an hour is not an evening: effects of time alone are not seen, and fewer frames are read (*Long
evenings* reads 115,344). The vision process is restarted often, so its growth is not measured here. Clients and
server share one computer.
"""


def report(evening: SoakEvening) -> tuple[list[Found], bool]:
    """The results, and whether all limits were met."""
    count, column = evening.count, f"in {evening.seconds / 60:.0f} minutes"
    rows: list[dict[str, object]] = [
        {"what": what, column: count[what], IN_AN_EVENING: often} for what, often in EVENING.items()
    ]
    rows.append({"what": "pictures read", column: count["pictures"], IN_AN_EVENING: "345,600 at 12 a second"})
    for what in ("rolls", "boards shown", "games in the archive", "lines in the archive"):
        rows.append({"what": what, column: count[what], IN_AN_EVENING: ""})
    grown, memory = _growth(evening.memory)
    end = (
        f"Lines shown and not in the archive: {evening.lost.total()}. Failed before the kills: "
        f"{evening.failures.total()}.\nThe companion and what it had started used "
        f"{evening.worked:.0f} s of a processor; the load (1 min) at the end was {evening.load:.1f} "
        f"on {os.cpu_count()} cores. Seed {evening.seed}.\n"
    )
    end += "".join(f"- {times} × {what}\n" for what, times in evening.failures.most_common(10))
    end += "".join(f"- lost: {times} × {line}\n" for line, times in evening.lost.most_common(10))
    enough = all(count[what] >= often for what, often in EVENING.items())
    fine = enough and grown <= MOST_GROWTH and not evening.lost and not evening.failures
    return [rows, *memory, waiting_times(evening.waits, (50, 99)), end], fine


def _growth(memory: Sequence[Memory]) -> tuple[float, list[Found]]:
    """The growth of the companion's memory since the warm-up, with a table and a sentence."""
    if len(memory) < 4:
        return 0.0, ["Too short to judge memory growth."]
    warm = memory[int(len(memory) * WARM_SHARE) :]
    some = max(1, len(warm) // 5)
    first, last = ([statistics.median(values) for values in _columns(part)] for part in (warm[:some], warm[-some:]))
    grown = last[0] / first[0] - 1
    rows = [
        {
            "minute": round(one.seconds / 60),
            "companion, MiB": round(one.companion),
            "process that reads, MiB": round(one.reader),
            "threads": one.threads,
            "open files": one.files,
        }
        for one in memory[:: max(1, len(memory) // 12)]
    ]
    sentence = (
        f"The companion after the first quarter and at the end of what was watched (medians of {some} minutes, "
        f"each the median of its samples): {first[0]:.0f} → {last[0]:.0f} MiB ({grown:+.1%}), "
        f"{first[1]:.0f} → {last[1]:.0f} threads, {first[2]:.0f} → {last[2]:.0f} open files."
    )
    return grown, [rows, sentence]


def _columns(part: Sequence[Memory]) -> tuple[list[float], list[float], list[float]]:
    return [one.companion for one in part], [one.threads for one in part], [one.files for one in part]
