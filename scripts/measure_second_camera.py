"""Measures whether a second camera for the cards slows down the dice: `python -m scripts.measure_second_camera`.

The bundled film plays in real time as the camera for the dice, in turn alone and beside a film of drawn cards in which
the same players take and turn the cards of the same game. Nothing is entered by hand. Printed for each pair: the
processor time that the process of the dice spends on a frame, how long the film took, and the purchases recorded. Use
an otherwise idle computer.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.camera.card_places import save_zones
from companion.camera.demo import Demo, bundled_demo
from companion.game.referee import referee_for
from companion.game.table import Table
from companion.resources import resource
from companion.web.app_state import AppState
from engine.record_header import new_record
from scripts.make_demo import encode
from tests.kit.card_film import SIZE, CardFilm, taught_faces
from tests.kit.card_games import STILL
from tests.kit.filmed_cards import beside
from tests.kit.options import run
from vision.cards.card_set import CardSet

WAIT_SECONDS = 300.0  # for the end of a film on a busy computer
LONGER_SECONDS = 6.0  # length of the cards' film after the last purchase


@dataclass(frozen=True, slots=True)
class Watched:
    """One run: processor milliseconds for a frame of the dice, seconds that the film took, lines of the record."""

    frame: float
    seconds: float
    lines: tuple[str, ...]


def main(pairs: int = 3, seed: int = 7) -> None:
    """Films the cards, watches, compares.

    Args:
        seed: Of the edition and the table with the cards.
    """
    demo, film = bundled_demo(), CardFilm(seed)
    with tempfile.TemporaryDirectory() as temporary:
        cards = Path(temporary) / "cards.mp4"
        pictures = beside(film, table_of(demo).state, moments(demo), end(demo))
        encode(pictures, cards, SIZE, round(1 / STILL), 21, "superfast")
        ratios = []
        for number in range(pairs):
            order = (None, cards) if number % 2 else (cards, None)
            found = {source: watched(demo, film, source, Path(temporary)) for source in order}
            alone, both = found[None], found[cards]
            ratios.append(both.frame / alone.frame)
            bought = [line for line in both.lines if " buy " in line]
            print(
                f"a frame of the dice: {alone.frame:.1f} ms alone, {both.frame:.1f} ms beside the cards; the film took "
                f"{alone.seconds:.1f} and {both.seconds:.1f} s; bought: {', '.join(bought)}",
                flush=True,
            )
    print(f"median of both / alone: {np.median(ratios):.3f}")


def table_of(demo: Demo) -> Table:
    """A table with a new game of the players of the film."""
    header = new_record(demo.game, demo.players)
    return Table(header, referee_for(header))


def moments(demo: Demo) -> list[tuple[float, str]]:
    """Seconds and line of each purchase and each use of a card in the film."""
    script = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    used = [(float(one["seconds"]), str(one["line"])) for one in script["done"] if " use " in one["line"]]
    return sorted([*demo.entered, *used])


def end(demo: Demo) -> float:
    """Length of the cards' film, seconds."""
    return moments(demo)[-1][0] + LONGER_SECONDS


def watched(demo: Demo, film: CardFilm, cards: Path | None, folder: Path) -> Watched:
    """Plays the film of the dice in real time, with the film of the cards if there is one."""
    state, table = AppState(folder=folder), table_of(demo)
    camera = state.cameras
    camera.cards.sets.save(CardSet("filmed", tuple(taught_faces(film)), demo.game))
    camera.cards.sets.choose("filmed" if cards else None)
    save_zones(camera.cards.sets.folder, {name: film.zones[name] for name in ("display", "A", "B")})
    state.session.begin(table, None)
    frames = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))["frames"]
    camera.watch(demo.film)
    camera.cards.use_source(str(cards or ""))
    assert camera.watcher is not None
    began, spent = time.monotonic(), 0.0
    while camera.watcher.state.word != "ended" and time.monotonic() < began + WAIT_SECONDS:
        spent = max(spent, processor(camera.watcher.process))
        time.sleep(0.05)
    seconds = time.monotonic() - began
    state.close()
    return Watched(1000 * spent / frames, seconds, tuple(line.event for line in table.lines))


def processor(process: int | None) -> float:
    """Processor seconds of a process; 0 if there is none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    run(main)
