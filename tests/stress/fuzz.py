#!/usr/bin/env python
"""Coverage-guided fuzzing of the parsers of text, images and forms: each input must give a result or one sentence.

    python -m tests.stress.fuzz [TARGET …] [--inputs 150000] [--keep]

Needs `pip install atheris` (Linux, macOS). It works in slices; interesting inputs are in local/fuzz/TARGET and the
counts in local/fuzz/counts.json, so an interrupted run continues (`--afresh`: starts from none). An input that crashes
is stored beside them. Status 1 if there is one.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

from tyro.conf import Positional

from tests.kit import figures
from tests.kit.options import run
from tests.stress.fuzzing.targets import TARGETS, load, seeds

KEPT = Path("local/fuzz")
COUNTS = KEPT / "counts.json"
SLICE = 50_000  # inputs of one process, which takes about ten processor seconds to start
SLICES = {"form": 4_000, "change": 5_000}  # slow inputs: an interrupted run loses minutes, not an hour
TITLE = "Hostile input"
ABOUT = """
Can a file, a picture or a form that someone sends crash the program?

Coverage-guided fuzzing (atheris) of everything that reads text, pictures or forms from others. A crash is any error
except the one sentence that each reader promises; for forms, any response with status 500 or more.

Edges are branches of our own Python code (and `tomllib`) that were reached; pictures are mostly handled by the
libraries that decode them. A *change* is one manipulated row of an archive, from which a whole game is read, resumed
and exported. A *form* is a whole request to one of the page's addresses; `tests/web/test_no_server_errors.py` walks
the same addresses.
"""
Count = dict[str, int]


def main(
    targets: Positional[tuple[str, ...]] = (), inputs: int = 150_000, afresh: bool = False, keep: bool = False
) -> int:
    """Runs each slice in a process of its own, so that a crash of one target does not end the others.

    Args:
        targets: By default all.
        inputs: Of each target, including earlier runs.
    """
    if unknown := set(targets) - set(TARGETS):
        raise SystemExit(f"unknown target {unknown.pop()}; there are {', '.join(TARGETS)}")
    counts: dict[str, Count] = json.loads(COUNTS.read_text()) if COUNTS.exists() and not afresh else {}
    for name in targets or TARGETS:
        count = counts.setdefault(name, {"inputs": 0, "seconds": 0, "edges": 0, "crashes": 0})
        while count["inputs"] < inputs and not count["crashes"]:
            _run(name, min(SLICES.get(name, SLICE), inputs - count["inputs"]), count)
            COUNTS.write_text(json.dumps(counts))
        print(_row(name, count), flush=True)
    total = sum(count["inputs"] for count in counts.values())
    rows = [_row(*item) for item in counts.items()]
    figures.report("fuzzing", TITLE, ABOUT, rows, f"{total:,} inputs in all.", keep=keep)
    return int(any(count["crashes"] for count in counts.values()))


def _run(name: str, inputs: int, count: Count) -> None:
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (folder / f"seed{number}").write_bytes(seed)
    before = _processor_seconds()
    done = subprocess.run(
        [sys.executable, "-c", f"from tests.stress.fuzz import fuzz; fuzz({name!r})", f"-runs={inputs}",
         "-max_len=4096", "-timeout=120", "-report_slow_units=120", "-rss_limit_mb=4096",
         f"-artifact_prefix={folder}-crash-", str(folder)],
        capture_output=True, text=True,
    )  # fmt: skip
    finished = re.search(r"Done (\d+) runs in (\d+) second", done.stderr)
    edges = [int(edge) for edge in re.findall(r"cov: (\d+)", done.stderr)]
    count["edges"] = max([count["edges"], *edges])
    count["seconds"] += round(_processor_seconds() - before)
    if finished is None:
        count["crashes"] += 1
        print(done.stderr[-3000:], file=sys.stderr)
    else:
        count["inputs"] += int(finished.group(1))


def _processor_seconds() -> float:
    """Processor time of all ended child processes."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _row(name: str, count: Count) -> dict[str, object]:
    return {
        "reader": name,
        "inputs": count["inputs"],
        "processor seconds": count["seconds"],
        "code edges covered": count["edges"],
        "crashes": count["crashes"],
    }


def fuzz(name: str) -> None:
    """Runs one target until its inputs are used up; called in a process of its own."""
    import atheris

    with atheris.instrument_imports(include=["engine", "companion", "vision", "tomllib"]):
        load()
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    run(main)
