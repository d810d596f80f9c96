"""A whole game, filmed and recorded without touch: `python -m scripts.whole_game`.

A random game of Um Krone und Kragen is played from the first roll to the winner on the simulated table, thrown by
physics and filmed as the demo is; `courtside watch` records the film, with nothing but purchases and passes on its
standard input. Then record and script are compared turn by turn: rolls and uses in order, result, purchase.

The film (`--film`, kept outside the repository) is made only if it is not there. Needs what `make_demo` needs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.replay import Replay, read_game
from scripts.make_demo import encode, setting
from scripts.measure_table import written
from tests.random_games import PLAIN, random_turns
from tests.simulated.dice import Picture
from tests.simulated.script import Wait, steps
from tests.simulated_table import simulate
from tests.turn_score import essence

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil")
FPS, WIDTH = 12, 640
BEGIN, END = "<!-- game: begin -->", "<!-- game: end -->"


def main() -> None:
    """Film, watch, compare. Exits 1 when a turn differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=95)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--film", type=Path, default=Path("local/whole_game.mp4"))
    parser.add_argument("--write", type=Path, help="page of the documentation to put the outcome into")
    wanted = parser.parse_args()
    played = [lines for _, lines in random_turns(wanted.seed, wanted.players, only=PLAIN)]
    if not wanted.film.exists():
        began = time.process_time()
        frames = film(played, wanted.film, wanted.seed)
        print(f"{frames} frames filmed in {time.process_time() - began:.0f} s of processor time", flush=True)
    began = time.perf_counter()
    record = watch(wanted.film, NAMES[: wanted.players], played)
    game = read_game(record)
    differing = [(true, seen) for true, seen in _pairs(played, _turns(game)) if essence(true) != essence(seen)]
    for true, seen in differing:
        print(f"played   {', '.join(true)}\nrecorded {', '.join(seen)}")
    outcome = (
        f"seed {wanted.seed}, {len(played)} turns, {sum(map(len, played))} lines\n"
        f"{len(played) - len(differing)} turns recorded as played; winner: {game.state.winner}\n"
        f"{_size(wanted.film)} watched in {time.perf_counter() - began:.0f} s"
    )
    print(outcome)
    if wanted.write:
        day = datetime.now(UTC).date().isoformat()
        written(wanted.write, (BEGIN, END), f"Measured {day} by `python -m scripts.whole_game`.", outcome)
    sys.exit(bool(differing) or not game.state.finished)


def film(played: Sequence[Sequence[str]], path: Path, seed: int) -> int:
    """Film the game into `path`; the number of frames."""
    table = setting(WIDTH, WIDTH * 3 // 4)
    script = [Wait(seconds=1.0), *steps("\n".join(line for lines in played for line in lines)), Wait(seconds=1.0)]
    count = 0

    def pictures() -> Iterator[Picture]:
        nonlocal count
        for frame, _ in simulate(script, seed=seed, setting=table, fps=FPS):
            count += 1
            yield frame.image

    path.parent.mkdir(parents=True, exist_ok=True)
    encode(pictures(), path, (table.camera.width, table.camera.height), FPS, 25)
    return count


def watch(path: Path, names: Sequence[str], played: Sequence[Sequence[str]]) -> str:
    """The record that `courtside watch` writes of the film; people enter purchases and passes, nothing else."""
    record = path.with_suffix(".txt")
    entered = "\n".join(line for lines in played for line in lines if line.split()[1] in ("buy", "pass"))
    courtside = str(Path(sys.executable).with_name("courtside"))
    command = [courtside, "watch", str(path), "--players", ",".join(names), "--record", str(record)]
    subprocess.run(command, input=entered, text=True, check=True, stdout=subprocess.DEVNULL)
    return record.read_text(encoding="utf-8")


def _turns(game: Replay) -> list[list[str]]:
    """The record's lines by turn: each ends with its purchase or pass."""
    turns: list[list[str]] = [[]]
    for entry in game.record.entries:
        text = game.game.event_text(entry.event)
        turns[-1].append(f"{entry.seat} {text}")
        if text.split()[0] in ("buy", "pass"):
            turns.append([])
    return [turn for turn in turns if turn]


def _pairs(played: Sequence[list[str]], seen: Sequence[list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    for place in range(max(len(played), len(seen))):
        yield (played[place] if place < len(played) else []), (seen[place] if place < len(seen) else [])


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB of film"


if __name__ == "__main__":
    main()
