"""Measures whole turns played with dice cut out of real photos, filmed and recorded automatically.

    python -m scripts.composed_turns --photos DIR --turns 20 --seed N [--keep]

Short turns of random games with one explanation, using every card, are played on drawn or real tables with all kinds of
cameras (see `scripts.clips_from_photos`). A drawn hand rolls dice, sets them aside in a row, turns and places them; in
every third turn hands of other players rest at the table's edges. Half of the turns are watched with two drawn areas,
half without. Parts of photos are stored only below `local/`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.commands.print_readings import load_detector
from scripts.clip_parts.clip import frames_of, write_video
from scripts.clip_parts.other_people import join
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import empty_table
from scripts.clip_parts.stock import Stock, load_stock
from scripts.clip_parts.turns import IN_LINE, ClipPlayer
from tests.kit import figures
from tests.kit.evaluation.scoring import wilson
from tests.kit.options import PHOTOS, run
from tests.kit.played_turns import Turn, record_readings, script_of, table_for, unambiguous_turns
from tests.kit.script import Step, most_dice
from tests.kit.turn_score import score
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.table.layout import DrawnAreas, Layout, WholePicture
from vision.types import Reading

ROOT = Path(__file__).resolve().parent.parent
TITLE = "Turns with real dice"
ABOUT = """
Turns with dice cut out of real photos, a drawn hand and many kinds of cameras; in every third turn other people sit
at the table. Half of the films are watched with two areas, half without mat or areas.
"""
JOINED = 3  # in every third turn other players sit at the table
MAX_ROLLS = 2


def main(
    photos: Path = PHOTOS,
    cache: Path = ROOT / "local" / "cache",
    turns: int = 20,
    first: int = 0,
    seed: int = 0,
    films: Path | None = None,
    keep: bool = False,
) -> None:
    """Composes, watches, prints.

    Args:
        first: Number of the first turn.
        seed: Of the games and their props.
        films: Keep the videos there.
    """
    detector = load_detector()
    stock = load_stock(photos, detector, cache)
    good: list[bool] = []
    undetected = asked = 0
    with tempfile.TemporaryDirectory() as temporary:
        target = films or Path(temporary)
        target.mkdir(parents=True, exist_ok=True)
        played = unambiguous_turns(seed, first + turns, MAX_ROLLS)
        for number, turn in list(enumerate(played))[first:]:
            path = target / f"turn_{seed}_{number}.mp4"
            layout, entered, words = composed(stock, turn, seed, number, path)
            turn_record = watched(turn, layout, entered, path, detector)
            good.append(turn_record.exact)
            undetected += not turn_record.exact and not turn_record.doubted
            asked += turn_record.asked
            print(
                f"{'!' if not turn_record.exact else '?' if turn_record.asked else ' '} {number}: {words}", flush=True
            )
            if not turn_record.exact:
                print(f"      played   {turn[1]}\n      recorded {turn_record.lines}")
            if films is None:
                path.unlink()
    low, high = wilson(sum(good), len(good))
    found = (
        f"{sum(good)} of {len(good)} turns recorded as played ({100 * low:.0f}–{100 * high:.0f} %), {undetected} "
        f"undetected errors, {asked} with a question that matters."
    )
    figures.report("composed_turns", TITLE, ABOUT, found, keep=keep)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """The recording of a turn: its lines, and whether they are right, had alternatives, or led to a question."""

    lines: list[str]
    exact: bool
    doubted: bool
    asked: bool


def composed(stock: Stock, turn: Turn, seed: int, number: int, path: Path) -> tuple[Layout, list[tuple[int, str]], str]:
    """Films a turn into `path`. Returns its layout, (frame, line that a person enters then), and a description of
    the scene."""
    begun, lines = turn
    steps = script_of(lines, begun.seat)
    chance = np.random.default_rng([0xC0, seed, number])
    while True:
        scene = empty_table(stock, chance, int(chance.integers(1000)))
        if layout := _layout(scene.play, steps):
            break
    player = ClipPlayer(stock, scene.play, chance, scene.words.split(" ")[0])
    player.perform(steps)
    if number % JOINED == 0:
        join(scene.play, chance)
        scene.words += ", others at the table"
    write_video(frames_of(scene.play, scene.ground, scene.camera, scene.margin, chance), path, scene.camera)
    chosen_layout = layout if number % 2 else WholePicture()
    entered = [(round(seconds * scene.camera.rate), line) for seconds, line in player.entered]
    return chosen_layout, entered, f"{scene.words}, {'areas' if number % 2 else 'nothing known'}"


def _layout(play: Play, steps: Sequence[Step]) -> DrawnAreas | None:
    """The areas for rolling and setting aside; None if the turn's row is too long for the frame."""
    width, height = play.size
    lowest, row = play.lowest(), play.row(0)[1]
    edge = (lowest + row) / 2 / height
    long = (1.5 + IN_LINE * (most_dice(steps) - 1) + 1.0) * play.width
    if long > width or row - lowest < 1.2 * play.width:
        return None
    return DrawnAreas(
        rolling=((0.0, 0.0), (1.0, 0.0), (1.0, edge), (0.0, edge)),
        kept=((0.0, edge), (1.0, edge), (1.0, 1.0), (0.0, 1.0)),
    )


def watched(
    turn: Turn, layout: Layout, entered: Sequence[tuple[int, str]], path: Path, detector: Detects
) -> RecordedTurn:
    """Records the filmed turn automatically."""
    begun, lines = turn
    table, pipeline, due = table_for(begun), Pipeline(detector, layout), [*entered]
    pipeline.due = lambda: table.expected_dice

    def readings() -> Iterator[tuple[Reading, Sequence[str]]]:
        for frame in frames(str(path)):
            reading = pipeline.step(frame)
            now = [line for when, line in due if when <= reading.frame]
            del due[: len(now)]
            yield reading, now

    questions = record_readings(table, readings())
    events = [line.event for line in table.lines]
    found = score(begun, lines, table, questions)
    return RecordedTurn(events, found.exact, found.doubted, found.asked)


if __name__ == "__main__":
    run(main)
