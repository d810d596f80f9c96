"""A whole game, filmed and recorded automatically: `python -m scripts.whole_game`.

A random game of Um Krone und Kragen is played from the first roll to the winner on the simulated table and filmed like
the demo. The film is recorded as `courtside watch` does, with only purchases and passes entered, each when it is made
(`--ahead`: all before the film starts). Then record and script are compared turn by turn: rolls and uses in order,
result, purchase.

The film (`--film`, stored outside the repository) is made only if it does not exist. Needs what `make_demo` needs. With
`--detected` nothing is filmed: a detector's mistakes are simulated.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from companion.commands.print_readings import load_detector
from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from engine.replay import Replay
from scripts.make_demo import encode, setting
from tests.kit import figures
from tests.kit.detected import simulate_detections
from tests.kit.dice import Picture
from tests.kit.options import run
from tests.kit.played_turns import UnusedDetector, layout_of
from tests.kit.random_games import PLAIN, random_turns
from tests.kit.script import Step, Wait, steps
from tests.kit.setting import LAYOUTS, random_setting
from tests.kit.simulated_table import simulate
from tests.kit.turn_score import differences
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.types import Frame, Reading

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil")
FPS, WIDTH = 12, 640
TITLE = "A whole game"
ABOUT = """
A random game is filmed (mat, 640 × 480, 12 pictures per second) and recorded as `courtside watch` does. Purchases and
passes are entered by hand when they are made.
"""


def main(
    seed: int = 95,
    players: int = 2,
    film: Path = Path("local/whole_game.mp4"),
    detected: bool = False,
    ahead: bool = False,
    keep: bool = False,
) -> None:
    """Films, watches, compares. Exits with 1 if a turn differs.

    Args:
        detected: Simulated detections instead of a film.
        ahead: Everything is entered before the film starts.
    """
    turns = list(random_turns(seed, players, only=PLAIN))
    played = [lines for _, lines in turns]
    # In the final round nothing is bought, and “pass” before the roll would mean not to roll.
    entered = [
        line for begun, lines in turns for line in lines if line.split()[1] in ("buy", "pass") and not begun.final
    ]
    if not detected and not film.exists():
        began = time.process_time()
        count = film_game(played, film, seed)
        print(f"{count} frames filmed in {time.process_time() - began:.0f} s of processor time", flush=True)
    began = time.perf_counter()
    table = Table(header := new_record("krone", NAMES[:players]), referee_for(header))
    seen = readings(played, seed) if detected else watched(film, table)
    game = recorded(table, seen, entered, ahead)
    differing = differences(played, game)
    print(*differing, sep="\n")
    source = "simulated detections" if detected else f"{film.stat().st_size / 1e6:.1f} MB of film"
    outcome = (
        f"seed {seed}, {len(played)} turns, {sum(map(len, played))} lines\n"
        f"{len(played) - len(differing)} turns recorded as played; winner: {game.state.winner}\n"
        f"{source}, {time.perf_counter() - began:.0f} s"
    )
    figures.report("whole_game", TITLE, ABOUT, outcome, keep=keep)
    sys.exit(bool(differing) or not game.state.finished)


def film_game(played: Sequence[Sequence[str]], path: Path, seed: int) -> int:
    """Films the game into `path`, and beside it what a person enters at which frame; returns the number of frames."""
    table = setting(WIDTH, WIDTH * 3 // 4)
    entered: list[list[str]] = []

    def pictures() -> Iterator[Picture]:
        for frame, truth in simulate(_script(played), seed=seed, setting=table, fps=FPS):
            entered.append(list(truth.entered))
            yield frame.image

    path.parent.mkdir(parents=True, exist_ok=True)
    encode(pictures(), path, (table.camera.width, table.camera.height), FPS, 25)
    path.with_suffix(".json").write_text(json.dumps(entered), encoding="utf-8")
    return len(entered)


def watched(path: Path, table: Table) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of the film at this table, and what a person enters then."""
    entered = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    pipeline = Pipeline(load_detector(), live=False)
    pipeline.due = lambda: table.expected_dice
    for frame in frames(str(path)):
        yield pipeline.step(frame), entered[frame.number] if isinstance(frame, Frame) else ()


def readings(played: Sequence[Sequence[str]], seed: int) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of simulated detections, and the lines that a person enters; layout and table vary with the seed."""
    table = random_setting(LAYOUTS[seed % len(LAYOUTS)], seed)
    pipeline = Pipeline(UnusedDetector(), layout_of(table, known=True))  # type: ignore[arg-type]
    for one_pass, truth in simulate_detections(_script(played), seed=seed, setting=table):
        pipeline.see(one_pass.detections, one_pass.seconds, one_pass.motions.hands)
        yield pipeline.conclude(one_pass.motions, one_pass.size, one_pass.number, one_pass.seconds), truth.entered


def recorded(
    table: Table, seen: Iterable[tuple[Reading, Sequence[str]]], entered: Sequence[str], ahead: bool
) -> Replay:
    """The game as recorded with these entered lines, each at its time, or with `ahead` all at the start."""
    recording = Recording(table, lambda line: None, print, live=not ahead)
    waiting = deque(entered)
    for reading, now in seen:
        for _ in range(len(waiting) if ahead else min(len(waiting), len(now))):
            recording.typed(waiting.popleft())
        recording.see(reading)
    recording.finish()
    return table.replay


def _script(played: Sequence[Sequence[str]]) -> list[Step]:
    return [Wait(seconds=1.0), *steps("\n".join(line for lines in played for line in lines)), Wait(seconds=1.0)]


if __name__ == "__main__":
    run(main)
