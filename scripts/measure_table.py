"""How well whole turns are recorded from the simulated table: `python -m scripts.measure_table --turns 1500`.

Random turns of two to five players, three layouts, every card in use, each judged from its own position; with `--game
knatsch` attempts of sensible games, every third with the card named only when the first throw lies there. Without
pictures (the default) the detector's mistakes are drawn from the noise given; with `--rendered` every turn is thrown,
filmed and read by the shipped model; with `--laid` the referee alone is judged, by readings laid out move by move.
`--hurried` plays as people do who do not wait until the picture is quiet, before a camera that loses frames
(`tests/kit/hurry.py`).

Prints the shares the live table promises with Wilson intervals, in all and by layout; `--json FILE` writes them too.
`--observations FILE` keeps what was seen of every turn, or judges what is kept there (`scripts/kept_turns.py`): another
referee is tried on the same readings in a tenth of the time. `--write FILE` puts the figures into a page of the
documentation. A seed gives other games at other tables.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from companion.commands.print_readings import load_detector
from companion.game.table import Table
from engine.games import GAME_IDS
from scripts.kept_turns import KeptTurn, Lain, TrueDie, keep_turns, read_turns
from scripts.turn_figures import Judged, as_table, figures, reports, spent, written
from tests.kit.detected import Noise
from tests.kit.hurry import HURRIED, Hurry
from tests.kit.laid_table import LaidTable
from tests.kit.played_turns import Shown, detected, filmed, recorded, script_of, table_for, turns, watched
from tests.kit.setting import LAYOUTS
from tests.kit.truth import Truth
from tests.kit.turn_score import score
from tests.kit.turned_cards import with_cards
from vision.pipeline import Detects

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TABLES = 999_999  # tables a seed: a multiple of the layouts, so that turn 0 is on a mat whatever the seed


@dataclass(frozen=True, slots=True)
class Way:
    """How turns are shown to the pipeline: drawn with this noise, filmed (`rendered`) and read with these weights (the
    shipped ones if None), or laid out (`laid`); cards: those on the table are seen too; spare: so many dice lie beside
    those played."""

    game: str
    seed: int
    noise: Noise
    fps: float
    hurry: Hurry | None
    rendered: bool
    model: Path | None
    laid: bool
    cards: bool
    spare: int


def main() -> None:
    """Play the turns and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAME_IDS, default=GAME_IDS[0])
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first turn")
    parser.add_argument("--hurried", action="store_true", help="players who do not wait, a camera that loses frames")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--rendered", action="store_true", help="throw, film and read with the shipped model")
    parser.add_argument("--model", type=Path, help="weights to read films with, the shipped ones if left out")
    parser.add_argument("--laid", action="store_true", help="lay readings out move by move: the referee alone")
    parser.add_argument("--cards", action="store_true", help="cards that are used are turned, and seen to be")
    parser.add_argument("--spare", type=int, default=0, help="so many dice lie beside those played, without pictures")
    parser.add_argument("--missed", type=float, default=Noise().missed)
    parser.add_argument("--wrong", type=float, default=Noise().wrong)
    parser.add_argument("--stubborn", type=float, default=Noise().stubborn)
    parser.add_argument("--show", type=int, default=0, help="print so many turns that were not recorded exactly")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--observations", type=Path, help="what was seen of every turn: judged if there, else kept")
    parser.add_argument("--json", type=Path, help="file to write the figures to")
    parser.add_argument("--write", type=Path, help="page of the documentation to put the figures into")
    wanted = parser.parse_args()
    noise = Noise(missed=wanted.missed, wrong=wanted.wrong, stubborn=wanted.stubborn)
    hurry = HURRIED if wanted.hurried else None
    way = Way(
        wanted.game,
        wanted.seed,
        noise,
        wanted.fps,
        hurry,
        wanted.rendered,
        wanted.model,
        wanted.laid,
        wanted.cards,
        wanted.spare,
    )
    kept = wanted.observations is not None and wanted.observations.exists()
    how = f"kept in {wanted.observations.name}" if kept else described(way)
    started = time.perf_counter()
    judged: list[Judged] = []
    with multiprocessing.get_context("spawn").Pool(wanted.processes, _prepare) as pool:
        for one in _all_judged(pool.imap, way, wanted.start, wanted.turns, wanted.observations):
            judged.append(one)
            if one.story and wanted.show > 0:
                wanted.show -= 1
                print(one.story, flush=True)
            if time.perf_counter() - started > wanted.seconds:
                break
    found = "\n".join(reports(judged))
    what = f"code {code()}, {len(judged)} turns, {how}"
    print(f"{what}, {time.perf_counter() - started:.0f} s\n{found}\n{spent(judged)}")
    if wanted.json:
        wanted.json.write_text(json.dumps({"what": what, **figures(judged)}, indent=1) + "\n", "utf-8")
    if wanted.write:
        day = datetime.now(UTC).date().isoformat()
        written(
            wanted.write,
            (BEGIN, END),
            f"Measured {day}: {what}.",
            as_table(judged),
        )


Mapped = Callable[..., Iterable[object]]


def _all_judged(imap: Mapped, way: Way, start: int, count: int, kept: Path | None) -> Iterator[Judged]:
    """The turns judged in their order; imap: as of a pool of processes."""
    if kept is not None and kept.exists():
        yield from imap(_judged, read_turns(kept), 8)  # type: ignore[misc]
        return
    todo = ((start + i, *turn) for i, turn in enumerate(_from(turns(way.seed, start + count, way.game), start)))
    if kept is None:
        yield from imap(partial(_played, way), todo, 4)  # type: ignore[misc]
        return
    seen = imap(partial(_seen, way), todo, 4)
    yield from imap(_judged, keep_turns(kept, seen), 8)  # type: ignore[arg-type,misc]


def _from(played: Iterator[tuple[Any, list[str]]], start: int) -> Iterator[tuple[Any, list[str]]]:
    for number, turn in enumerate(played):
        if number >= start:
            yield turn


def _prepare() -> None:
    """A process does one thing at a time."""
    cv2.setNumThreads(1)


_detectors: list[Detects] = []  # this process's


def shown(way: Way, number: int, begun: Any, lines: Sequence[str], table: Table) -> Iterable[Shown]:
    """What is shown to the table of one turn."""
    place = number + TABLES * way.seed
    if way.laid:
        return laid(begun, lines, place)
    if way.rendered:
        if not _detectors:
            _detectors.append(load_detector(way.model))
        return filmed(table, begun, lines, place, _detectors[0], way.fps, way.hurry)
    return detected(begun, lines, place, way.noise, way.fps, way.hurry, way.cards, way.spare)


def _seen(way: Way, todo: tuple[int, Any, Sequence[str]]) -> KeptTurn:
    """One turn played, and what was seen of it. A table records it meanwhile: a film is looked at as it asks."""
    number, begun, lines = todo
    layout = LAYOUTS[number % len(LAYOUTS)]
    seen: list[Shown] = []
    if way.laid or way.rendered:
        table = table_for(begun)
        recorded(table, _noted(shown(way, number, begun, lines, table), seen))
        return KeptTurn(number, layout, begun, tuple(lines), tuple(seen))
    frames = list(watched(begun, lines, number + TABLES * way.seed, way.noise, way.fps, way.hurry, way.spare))
    truths = [lain(truth) for _, truth in frames]
    if way.cards:
        seen += with_cards(frames, begun, number + TABLES * way.seed)
    else:
        seen += [(reading, truth.entered) for reading, truth in frames]
    return KeptTurn(number, layout, begun, tuple(lines), tuple(seen), tuple(truths))


def lain(truth: Truth) -> Lain:
    """What is kept of the truth of a frame."""
    dice = (TrueDie(die.number, die.place.value, die.value, die.xyxy) for die in truth.dice if die.xyxy is not None)
    return Lain(truth.throws, tuple(dice))


def _noted(seen: Iterable[Shown], notes: list[Shown]) -> Iterator[Shown]:
    for reading, entered, *_ in seen:
        notes.append((reading, tuple(entered)))
        yield reading, entered


def _played(way: Way, todo: tuple[int, Any, Sequence[str]]) -> Judged:
    """One turn played and judged."""
    number, begun, lines = todo
    table = Timed(begun)
    return table.judged(number, begun, lines, shown(way, number, begun, lines, table.table))


def _judged(turn: KeptTurn) -> Judged:
    """One kept turn judged."""
    return Timed(turn.begun).judged(turn.number, turn.begun, turn.lines, turn.seen)


class Timed:
    """A table at a position, and how long it takes over each reading."""

    def __init__(self, begun: Any) -> None:
        self.table = table_for(begun)
        self._spent: list[float] = []

    def judged(self, number: int, begun: Any, lines: Sequence[str], seen: Iterable[Shown]) -> Judged:
        """Record what is seen of a turn, and compare it with the truth."""
        questions = recorded(self.table, seen, self._spent)
        wrote = ", ".join(line.event for line in self.table.lines)  # before the answers are tried
        found = score(begun, lines, self.table, questions)
        story = ""
        if not found.exact:
            asked = "".join(f"\n  {question.sentence} {question.answers}" for question in questions)
            story = f"\nturn {number}, {LAYOUTS[number % len(LAYOUTS)]}: {found} {begun.tableau(begun.seat)}"
            story += f"\n  true     {', '.join(lines)}\n  recorded {wrote}{asked}"
        return Judged(number, found, story, tuple(self._spent))


def laid(begun: Any, lines: Sequence[str], number: int) -> Iterator[Shown]:
    """Readings of a turn laid out one a move, without noise and without the vision side."""
    table = LaidTable(number, rows=LAYOUTS[number % len(LAYOUTS)] != "nothing")
    last = table.read()
    for seen in table.perform(script_of(lines, begun.seat)):
        if isinstance(seen, str):
            yield last, (seen,)
        else:
            last = seen
            yield last, ()


def described(way: Way) -> str:
    """The conditions in words."""
    if way.laid:
        return f"seed {way.seed}, readings laid out move by move"
    eye = (
        f"{way.model or 'the shipped model'} on rendered frames"
        if way.rendered
        else f"simulated detections, {way.noise}"
    )
    players = "hurried players" if way.hurry else "players who wait"
    players += ", cards seen" if way.cards else ""
    players += f", {way.spare} spare dice" if way.spare else ""
    return f"{way.game}, {way.fps:g} frames a second, {players}, seed {way.seed}, {eye}"


def code() -> str:
    """The commit that is running, and whether something has been changed since."""
    git = ["git", "-C", str(Path(__file__).parent)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    tree = [*git, "status", "--porcelain", "--", "engine", "vision", "companion", "tests/kit"]
    return commit + (" with changes" if subprocess.run(tree, capture_output=True, text=True).stdout else "")


if __name__ == "__main__":
    main()
