"""Measures turns filmed with real cards and real dice on one table, recorded automatically by the whole product.

    python -m scripts.measure_card_films --pairs DIR --photos DIR --games 20 --turns 10 --seed N --counts FILE

`--pairs` holds cards with two pictures each: `ref/KIND.png` teaches a card, and `webcam/KIND.jpg` is cut out and laid
on the table. The other kinds are drawn in the same proportions. `--photos` holds photos with labelled dice, which are
cut out, and photos without dice, which are the tables. Parts of photos are stored only in `--cache`.

The table is set up as `docs/getting-started.md` and `docs/cards.md` say: areas for rolling and for dice set aside are
drawn, and so are the places of the cards. Players roll, set aside, use cards and turn them, and take cards. Of four
games one starts at its first turn, the others 8, 16 and 24 turns later, with the cards that the players have then.
After a wrong turn the record continues with the truth. With `--counts FILE` games counted there are skipped, so a long
measurement can be split.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import cv2

from companion.camera.card_follower import CardFollower
from companion.commands.print_readings import load_detector
from companion.game.card_evidence import CardMessages
from companion.game.table import Table
from scripts.clip_parts.cards_beside import RATE, ComposedCardFilm, filmed_turn, real_cards
from scripts.clip_parts.stock import Stock, load_stock
from tests.kit import figures
from tests.kit.filmed_cards import card_players_of
from tests.kit.options import PHOTOS, run
from tests.kit.played_turns import table_for
from tests.kit.random_games import ALL, PLAIN, random_turns
from tests.kit.turn_score import ambiguous, announced
from vision.cards.card_set import CardSet
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline
from vision.types import Frame

TITLE = "Turns with real cards and real dice"
ABOUT = """
Whole turns on photographed tables: dice cut out of real photos, fourteen real cards (taught with the publisher's
pictures, shown as a webcam saw them) and drawn ones, with hands, overlap, used cards turned, sleeves and reflections.
Areas for dice and places of cards are drawn. Targets: 97 % of purchases recorded without a touch, at most 0.5 %
undetected errors.
"""
LATER = 8  # turns: each of four games in a row starts this much later than the one before
ROOT = Path(__file__).resolve().parent.parent


class FilmedGame:
    """One game before one camera, and what is recorded of it."""

    def __init__(self, film: ComposedCardFilm, detector: Detects) -> None:
        self.film, self.detector = film, detector
        self.count: Counter[str] = Counter()
        self.faults: list[str] = []
        self.frames = 0
        self.news = CardMessages()

    def restart(self, state: object) -> None:
        """Continues with a correct record."""
        self.table: Table = table_for(state)
        self.pipeline = Pipeline(self.detector, self.film.areas)
        self.pipeline.due = lambda: self.table.expected_dice
        cards = CardSet("filmed", tuple(self.film.faces.values()), "krone")
        zones = {name: self.film.zones[name] for name in ("display", *self.table.state.seats)}
        self.follower = CardFollower(self.table, cards, zones)
        self.pipeline.cards = self.follower.drawn_zones

    def play(self, seed: int, players: int, first: int, turns: int, every_card: bool) -> None:
        """Films and records turns of a random game, without its first ones."""
        people, right = None, False
        played = random_turns(seed, players, only=ALL if every_card else PLAIN, most=first + turns)
        for state, lines in islice(played, first, None):
            people = people or card_players_of(self.film, state)
            if not right:
                self.restart(state)
            before, asked = len(self.table.lines), False
            for image in filmed_turn(people, self.film, state, lines):
                asked = self._see(Frame(image, self.frames / RATE, self.frames))
                self.frames += 1
            self.count["ambiguous"] += ambiguous(state, lines)
            right = self._judge(lines, [line.event for line in self.table.lines[before:]], asked)

    def _see(self, frame: Frame) -> bool:
        """Processes one frame. Returns whether a player is asked or informed now."""
        reading = self.pipeline.step(frame)
        self.table.see(reading)
        picture = frame.image if self.pipeline.picture is None else self.pipeline.picture
        self.news = self.follower.see(picture, frame.seconds, reading)
        return bool(self.table.questions or self.news.questions or self.news.notices)

    def _judge(self, lines: Sequence[str], recorded: Sequence[str], asked: bool) -> bool:
        count = self.count
        right = announced(lines) == announced(recorded)
        count["turns"] += 1
        count["right"] += right
        count["asked" if asked else "undetected"] += not right
        for verb in ("buy", "use"):
            played = Counter(line for line in lines if line.split()[1] == verb)
            count[verb] += played.total()
            count[f"{verb} recorded"] += (played & Counter(recorded)).total()
        if not right:
            messages = [str(one.sentence) for one in (*self.news.questions, *self.news.notices)]
            fault = f"at {self.frames / RATE:.1f} s, messages {messages}, {len(self.table.questions)} questions"
            self.faults.append(f"played {', '.join(lines)}; recorded {', '.join(recorded)}; {fault}")
            print(f"  {self.faults[-1]}", flush=True)
        return right


def main(
    pairs: Path,
    photos: Path = PHOTOS,
    cache: Path = ROOT / "local" / "cache",
    games: int = 2,
    turns: int = 10,
    seed: int = 0,
    players: int = 2,
    height: int = 720,
    every_card: bool = False,
    counts: Path | None = None,
    keep: bool = False,
) -> None:
    """Films, watches, counts.

    Args:
        turns: Maximum of each game.
        seed: Of the first game.
        height: Of the films, pixels: 720 or 1080.
        every_card: Use cards that do the same as others, too.
        counts: JSON file of games counted so far, which are skipped.
    """
    cv2.setNumThreads(1)
    done: dict[str, dict[str, Any]] = {}
    if counts is not None and counts.exists():
        done = json.loads(counts.read_text(encoding="utf-8"))
    folder = photos / "dev" if (photos / "dev").is_dir() else photos
    detector = load_detector()
    stock: Stock = load_stock(folder, detector, cache)
    real = real_cards(pairs)
    for number in range(seed, seed + games):
        name = f"{number}, {height} lines, {players} players, {turns} turns{', every card' if every_card else ''}"
        if name in done:
            continue
        began = time.process_time()
        film = ComposedCardFilm(number, stock, real, (height * 16 // 9, height))
        game = FilmedGame(film, detector)
        game.play(number, players, number % 4 * LATER, turns, every_card)
        spent = time.process_time() - began
        print(f"game {number}, {film.words}: {dict(game.count)}, {spent:.0f} s of processor time", flush=True)
        done[name] = {"film": film.words, "counts": game.count, "faults": game.faults}
        if counts is not None:
            counts.write_text(json.dumps(done, indent=1, ensure_ascii=False), encoding="utf-8")
    figures.report("card_films", TITLE, ABOUT, *_summary(done), keep=keep)


def _summary(done: Mapping[str, Mapping[str, Any]]) -> list[figures.Found]:
    """The figures of all counted games, and the turns that were not recorded as played."""
    count: Counter[str] = Counter()
    for one in done.values():
        count += Counter(one["counts"])
    words = (
        f"{count['turns']} turns of {len(done)} games ({', '.join(done)}): {count['right']} recorded as played, "
        f"{count['undetected']} undetected errors, {count['asked']} asked. Purchases recorded without a touch: "
        f"{count['buy recorded']} of {count['buy']}; uses of cards: {count['use recorded']} of {count['use']}. In "
        f"{count['ambiguous']} turns the dice alone fit another card too, and only the turned card shows which."
    )
    faults = [{"game": name, "turn": fault} for name, one in done.items() for fault in one["faults"]]
    return [words, faults]


if __name__ == "__main__":
    run(main)
