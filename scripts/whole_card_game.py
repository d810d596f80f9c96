"""A whole game, filmed with dice and cards in view and recorded automatically: `python -m scripts.whole_card_game`.

A random game of Um Krone und Kragen is played from the first roll to the winner. Dice are simulated; cards of a drawn
edition are taken, placed and turned beside them, all in front of one camera of 1280×720. The edition is taught from one
image of each kind on another table. `courtside watch --cards` records the film without standard input. Turns
that were not recorded as played are printed.

The film (`--film`, stored outside the repository) is made only if it does not exist. Needs what `make_demo` needs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from companion.camera.card_places import save_zones
from companion.camera.own_cards import OwnCards
from engine.replay import read_game
from scripts.make_demo import encode, setting
from tests.kit.card_film import SIZE, CardFilm, taught_faces
from tests.kit.filmed_cards import Turns, filmed
from tests.kit.options import run
from tests.kit.random_games import ALL, PLAIN, random_turns
from tests.kit.turn_score import announced, differences
from vision.cards.card_set import CardSet

NAMES = ("Anna", "Bert")
FPS, TRAY = 12, (640, 480)


def main(
    seed: int = 95, turns: int = 200, every_card: bool = False, film: Path = Path("local/whole_card_game.mp4")
) -> None:
    """Films, watches, compares. Exits with 1 if a turn differs.

    Args:
        turns: Maximum.
        every_card: Use cards that do the same as others, too.
    """
    only = ALL if every_card else PLAIN
    played = list(random_turns(seed, len(NAMES), only=only, most=turns))
    if not film.exists():
        began = time.process_time()
        make(played, film, seed)
        print(f"filmed in {time.process_time() - began:.0f} s of processor time", flush=True)
    began = time.perf_counter()
    game = read_game(watch(film))
    differing = differences([lines for _, lines in played], game, announced)
    print(*differing, f"{len(played) - len(differing)} of {len(played)} turns recorded as played", sep="\n")
    megabytes = film.stat().st_size / 1e6
    print(f"winner: {game.state.winner}; {megabytes:.1f} MB of film, {time.perf_counter() - began:.0f} s")
    sys.exit(not game.state.finished)


def make(turns: Turns, path: Path, seed: int) -> None:
    """Teaches the edition, stores its card zones, films the game; all files are beside `path`."""
    film = CardFilm(seed)
    own = OwnCards(path.parent)
    own.save(CardSet(path.stem, tuple(taught_faces(film)), "krone"))
    save_zones(own.folder, {name: film.zones[name] for name in ("display", *turns[0][0].seats)})
    beside = path.with_stem(f"{path.stem}-unfinished")
    encode(filmed(turns, film, setting(*TRAY), seed, FPS), beside, SIZE, FPS, 21, "superfast")
    beside.replace(path)


def watch(path: Path) -> str:
    """The record that `courtside watch` writes of the film without any input."""
    record = path.with_suffix(".txt")
    command = [sys.executable, "-c", "from companion.cli import main; main()", "watch", str(path)]
    command += ["--players", ",".join(NAMES), "--cards", str(path.with_suffix(".cards")), "--record", str(record)]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
    return record.read_text(encoding="utf-8")


if __name__ == "__main__":
    run(main)
