"""A whole game, filmed and recorded without touch: `python -m scripts.whole_game`.

A random game of Um Krone und Kragen is played from the first roll to the winner on the simulated table, thrown by
physics and filmed as the demo is; `courtside watch` records the film, with nothing but purchases and passes on its
standard input. Then record and script are compared turn by turn: rolls and uses in order, result, purchase.

The film (`--film`, kept outside the repository) is made only if it is not there. Needs what `make_demo` needs. With
`--detected` nothing is filmed: a detector's mistakes are drawn, and what follows the detector records the game.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from engine.replay import Replay, read_game
from scripts.make_demo import encode, setting
from scripts.simulation.detected import simulate_detections
from scripts.simulation.dice import Picture
from scripts.simulation.played_turns import Blind, layout_of
from scripts.simulation.random_games import PLAIN, random_turns
from scripts.simulation.script import Wait, steps
from scripts.simulation.setting import LAYOUTS, random_setting
from scripts.simulation.simulated_table import simulate
from scripts.simulation.turn_score import essence
from scripts.turn_figures import written
from vision.pipeline import Pipeline

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil")
FPS, WIDTH = 12, 640
BEGIN, END = "<!-- game: begin -->", "<!-- game: end -->"


def main() -> None:
    """Film, watch, compare. Exits 1 when a turn differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=95)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--film", type=Path, default=Path("local/whole_game.mp4"))
    parser.add_argument("--detected", action="store_true", help="simulated detections instead of a film")
    parser.add_argument("--write", type=Path, help="page of the documentation to put the outcome into")
    wanted = parser.parse_args()
    turns = list(random_turns(wanted.seed, wanted.players, only=PLAIN))
    played = [lines for _, lines in turns]
    # In the final round nothing is bought: to say “pass” before the dice are thrown would be not to throw them.
    entered = [
        line for begun, lines in turns for line in lines if line.split()[1] in ("buy", "pass") and not begun.final
    ]
    if not wanted.detected and not wanted.film.exists():
        began = time.process_time()
        frames = film(played, wanted.film, wanted.seed)
        print(f"{frames} frames filmed in {time.process_time() - began:.0f} s of processor time", flush=True)
    began = time.perf_counter()
    names = NAMES[: wanted.players]
    record = detected(played, entered, names, wanted.seed) if wanted.detected else watch(wanted.film, entered, names)
    game = read_game(record)
    pairs = list(zip_longest(played, _turns(game), fillvalue=list[str]()))
    differing = [(true, seen) for true, seen in pairs if essence(true) != essence(seen)]
    for true, seen in differing:
        print(f"played   {', '.join(true)}\nrecorded {', '.join(seen)}")
    source = "simulated detections" if wanted.detected else f"{wanted.film.stat().st_size / 1e6:.1f} MB of film"
    outcome = (
        f"seed {wanted.seed}, {len(played)} turns, {sum(map(len, played))} lines\n"
        f"{len(played) - len(differing)} turns recorded as played; winner: {game.state.winner}\n"
        f"{source}, {time.perf_counter() - began:.0f} s"
    )
    print(outcome)
    if wanted.write:
        day = datetime.now(UTC).date().isoformat()
        written(
            wanted.write, (BEGIN, END), f"Measured {day} by `python -m scripts.whole_game`.", f"```\n{outcome}\n```"
        )
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


def watch(path: Path, entered: Sequence[str], names: Sequence[str]) -> str:
    """The record that `courtside watch` writes of the film; people enter purchases and passes, nothing else."""
    record = path.with_suffix(".txt")
    courtside = str(Path(sys.executable).with_name("courtside"))
    command = [courtside, "watch", str(path), "--players", ",".join(names), "--record", str(record)]
    subprocess.run(command, input="\n".join(entered), text=True, check=True, stdout=subprocess.DEVNULL)
    return record.read_text(encoding="utf-8")


def detected(played: Sequence[Sequence[str]], entered: Sequence[str], names: Sequence[str], seed: int) -> str:
    """The record made of drawn detections, as `courtside watch` makes it; layout and table vary with the seed."""
    setting_ = random_setting(LAYOUTS[seed % len(LAYOUTS)], seed)
    table = Table(header := new_record("krone", names), referee_for(header))
    recording = Recording(table, lambda line: None, lambda sentence: print(sentence))
    for line in entered:
        recording.typed(line)
    pipeline = Pipeline(Blind(), layout_of(setting_, known=True))  # type: ignore[arg-type]
    script = [Wait(seconds=1.0), *steps("\n".join(line for lines in played for line in lines)), Wait(seconds=1.0)]
    for look, _ in simulate_detections(script, seed=seed, setting=setting_):
        pipeline.see(look.detections, look.seconds, look.motions.hands)
        recording.see(pipeline.conclude(look.motions, look.size, look.number, look.seconds))
    recording.finish()
    return table.replay.text()


def _turns(game: Replay) -> list[list[str]]:
    """The record's lines by turn: each ends with its purchase or pass."""
    turns: list[list[str]] = [[]]
    for entry in game.record.entries:
        text = game.game.event_text(entry.event)
        turns[-1].append(f"{entry.seat} {text}")
        if text.split()[0] in ("buy", "pass"):
            turns.append([])
    return [turn for turn in turns if turn]


if __name__ == "__main__":
    main()
