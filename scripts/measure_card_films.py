"""Measures turns filmed with real cards and real dice on one table, recorded automatically by the whole product.

    python -m scripts.measure_card_films --pairs DIR --photos DIR --games 2 --turns 10 --seed N

`--pairs` holds cards with two pictures each: `ref/KIND.png` teaches a card, and `webcam/KIND.jpg` is cut out and laid
on the table. The other kinds are drawn. `--photos` holds photos with labelled dice, which are cut out, and photos
without dice, which are the tables. Players roll, set aside, use cards and turn them, and take cards. After a wrong turn
the record continues with the truth. Parts of photos are stored only in `--cache`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2

from companion.camera.card_follower import CardFollower
from companion.commands.print_readings import load_detector
from companion.game.card_evidence import CardNews
from companion.game.table import Table
from scripts.clip_parts.cards_beside import RATE, ComposedCardFilm, filmed_turn, people_of, real_cards
from scripts.clip_parts.stock import Stock, load_stock
from tests.kit import figures
from tests.kit.options import PHOTOS, run
from tests.kit.played_turns import table_for
from tests.kit.random_games import ALL, PLAIN, random_turns
from tests.kit.turn_score import essence
from vision.cards.card_set import CardSet
from vision.dice.detector_api import Detects
from vision.pipeline import Pipeline
from vision.types import Frame

TITLE = "Turns with real cards and real dice"
ABOUT = """
Whole turns on photographed tables: dice cut out of real photos, fourteen real cards (taught with the publisher's
pictures, shown as a webcam saw them) and drawn ones, with hands, overlap, used cards turned, sleeves and reflections.
Targets: 97 % of purchases recorded without a touch, at most 0.5 % undetected errors.
"""
SIZES = ((1280, 720), (1920, 1080))
ROOT = Path(__file__).resolve().parent.parent


class FilmedGame:
    """One game before one camera, and what is recorded of it."""

    def __init__(self, film: ComposedCardFilm, detector: Detects) -> None:
        self.film, self.detector = film, detector
        self.count: Counter[str] = Counter()
        self.frames = 0
        self.news = CardNews()

    def restart(self, state: object) -> None:
        """Continues with a correct record."""
        self.table: Table = table_for(state)
        self.pipeline = Pipeline(self.detector)
        self.pipeline.due = lambda: self.table.dice_due
        cards = CardSet("filmed", tuple(self.film.faces.values()), "krone")
        self.follower = CardFollower(self.table, cards, self.film.zones)
        self.pipeline.cards = self.follower.drawn

    def play(self, seed: int, players: int, turns: int, every_card: bool) -> None:
        """Films and records the first turns of a random game."""
        people, right = None, False
        for state, lines in random_turns(seed, players, only=ALL if every_card else PLAIN, most=turns):
            people = people or people_of(self.film, state)
            if not right:
                self.restart(state)
            before, asked = len(self.table.lines), False
            for image in filmed_turn(people, self.film, state, lines):
                asked = self._see(Frame(image, self.frames / RATE, self.frames))
                self.frames += 1
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
        right = _said(lines) == _said(recorded)
        count["turns"] += 1
        count["right"] += right
        count["asked" if asked else "undetected"] += not right
        for verb in ("buy", "use"):
            played = Counter(line for line in lines if line.split()[1] == verb)
            count[verb] += played.total()
            count[f"{verb} recorded"] += (played & Counter(recorded)).total()
        if not right:
            said = [str(one.sentence) for one in (*self.news.questions, *self.news.notices)]
            print(f"  played   {', '.join(lines)}\n  recorded {', '.join(recorded)}")
            print(f"  at {self.frames / RATE:.1f} s, said {said}, {len(self.table.questions)} questions", flush=True)
        return right


def _said(lines: Sequence[str]) -> object:
    """The parts of a turn that count; players do not announce a pass."""
    return essence([line for line in lines if line.split()[1] != "pass"])


def main(
    pairs: Path,
    photos: Path = PHOTOS,
    cache: Path = ROOT / "local" / "cache",
    games: int = 2,
    turns: int = 10,
    seed: int = 0,
    players: int = 2,
    every_card: bool = False,
    keep: bool = False,
) -> None:
    """Films, watches, counts.

    Args:
        turns: Maximum of each game.
        seed: Of the first game.
        every_card: Use cards that do the same as others, too.
    """
    cv2.setNumThreads(1)
    folder = photos / "dev" if (photos / "dev").is_dir() else photos
    detector = load_detector()
    stock: Stock = load_stock(folder, detector, cache)
    real = real_cards(pairs)
    count: Counter[str] = Counter()
    for number in range(seed, seed + games):
        began = time.process_time()
        film = ComposedCardFilm(number, stock, real, SIZES[number % len(SIZES)])
        game = FilmedGame(film, detector)
        game.play(number, players, turns, every_card)
        spent = time.process_time() - began
        print(f"game {number}, {film.words}: {dict(game.count)}, {spent:.0f} s of processor time", flush=True)
        count += game.count
    words = (
        f"{count['turns']} turns of {games} games: {count['right']} recorded as played, {count['undetected']} "
        f"undetected errors, {count['asked']} asked. Purchases recorded without a touch: {count['buy recorded']} of "
        f"{count['buy']}; uses of cards: {count['use recorded']} of {count['use']}."
    )
    figures.report("card_films", TITLE, ABOUT, words, keep=keep)


if __name__ == "__main__":
    run(main)
