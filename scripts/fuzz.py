#!/usr/bin/env python
"""Feeds the readers of foreign text and pictures with coverage-guided rubbish: a sentence or an answer, nothing else.

    python -m scripts.fuzz [TARGET …] [--inputs 250000] [--write docs/fuzzing.md]

Needs `pip install atheris` (Linux, macOS). What was found interesting is kept in local/fuzz/TARGET, so the next run
goes on from there; an input that crashes is kept beside it. Status 1 when there is one.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

KEPT = Path("local/fuzz")
_HEAD = """# Fuzzing

Written by `python -m scripts.fuzz --write docs/fuzzing.md`. Coverage-guided inputs (atheris) against everything
that reads foreign text or pictures; a crash is any error but the one sentence each reader promises.

| reader | inputs in this run | seconds | code edges covered | crashes |
|---|---|---|---|---|
"""
SEEDS = {
    "record": ("tests/golden/krone_*.txt",),
    "knatsch": ("tests/golden/knatsch_example_*.txt",),
    "position": (),
    "deck": ("datasets/decks/*.toml",),
    "change": (),
    "picture": ("docs/screenshots/*",),
}
"""Files of the repository to begin with; those of `position` and `change` are written by `_written`."""
ROOT = Path(__file__).resolve().parent.parent


def record(data: bytes) -> None:
    """A record: legal and then written canonically twice alike, or refused with its line."""
    from engine.errors import Unreadable
    from engine.replay import read_game

    try:
        replay = read_game(data.decode("utf-8", "replace"))
    except Unreadable as error:
        if error.line is None:
            raise RuntimeError(f"no line: {error}") from error
        return
    assert read_game(replay.text()).text() == replay.text()


def position(data: bytes) -> None:
    """A position in one line: reads back, or is refused."""
    from engine.errors import CourtsideError
    from engine.krone.position import position_text, read_position

    try:
        state = read_position(data.decode("utf-8", "replace"))
    except CourtsideError:
        return
    assert read_position(position_text(state), state.rules) == state


def deck(data: bytes) -> None:
    """A player's own deck file."""
    from companion.decks import parse_deck
    from engine.errors import Unreadable

    try:
        parse_deck(data.decode("utf-8", "replace"))
    except Unreadable:
        return


def change(data: bytes) -> None:
    """A change as the archive keeps it."""
    from companion.changes import Change

    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        Change.read(body)
    except (KeyError, TypeError, ValueError):
        return


def picture(data: bytes) -> None:
    """An uploaded picture."""
    from vision.jpeg import Unusable, decode

    try:
        found = decode(data)
    except Unusable:
        return
    assert found.ndim == 3


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record,
    "knatsch": record,
    "position": position,
    "deck": deck,
    "change": change,
    "picture": picture,
}


def main() -> int:
    """One process a target, so that a crash of one does not end the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=250_000, help="of each target")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table there")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - set(TARGETS):
        parser.error(f"unknown target {unknown.pop()}; there are {', '.join(TARGETS)}")
    table, crashed = _HEAD, False
    for name in asked.targets or TARGETS:
        row, crash = _run(name, asked.inputs)
        print(row, flush=True)
        table, crashed = table + row + "\n", crashed or crash
    if asked.write:
        asked.write.parent.mkdir(exist_ok=True)
        asked.write.write_text(table, encoding="utf-8")
    return int(crashed)


def _run(name: str, inputs: int) -> tuple[str, bool]:
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(_seeds(name)):
        (folder / f"seed{number}").write_bytes(seed)
    done = subprocess.run(
        [sys.executable, "-c", f"from scripts.fuzz import fuzz; fuzz({name!r})", f"-runs={inputs}", "-max_len=4096",
         "-timeout=20", "-rss_limit_mb=4096", f"-artifact_prefix={folder}-crash-", str(folder)],
        capture_output=True, text=True,
    )  # fmt: skip
    finished = re.search(r"Done (\d+) runs in (\d+) second", done.stderr)
    edges = re.findall(r"cov: (\d+)", done.stderr)
    if finished is None:
        print(done.stderr[-3000:], file=sys.stderr)
    runs, seconds = finished.groups() if finished else ("crashed", "–")
    return f"| {name} | {runs} | {seconds} | {edges[-1] if edges else '–'} | {0 if finished else 1} |", finished is None


def _seeds(name: str) -> list[bytes]:
    found = [file.read_bytes() for pattern in SEEDS[name] for file in sorted(ROOT.glob(pattern))]
    return found + [text.encode() for text in _written(name)]


def _written(name: str) -> list[str]:
    from companion.chronicle import Chronicle
    from engine.krone.position import position_text
    from engine.replay import read_game

    replay = read_game((ROOT / "tests/golden/krone_amigo.txt").read_text(encoding="utf-8"))
    if name == "position":
        return [position_text(state) for state in replay.states[:: len(replay.states) // 8]]
    if name == "change":
        book = Chronicle(replay.record)
        return [json.dumps(book.change("replace", "person", 3, 1, [book.line("A pass", "camera", 0.9)]).body())]
    return []


def fuzz(name: str) -> None:
    """Runs one target until its inputs are used up; called in a process of its own."""
    import atheris

    with atheris.instrument_imports(include=["engine", "companion", "vision"]):
        for watched in ("companion.decks", "engine.knatsch.game", "engine.krone.game", "engine.replay", "vision.jpeg"):
            importlib.import_module(watched)
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
