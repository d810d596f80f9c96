"""Measures games whose purchases are recorded from the cards alone, and prints each target beside the result.

Drawn editions that were not used for tuning are taught from one image each on another table. They are then played in
front of the camera with display and tableaux in view (`tests/kit/card_games.py`), 1280×720, cards 60 pixels wide. Dice
are entered as if read; purchases, and uses of cards that add a die, must come from the cards. Times are processor
times. With `--counts FILE` games counted there are skipped, so a long measurement can be split.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.camera.card_follower import CardFollower
from companion.game.card_evidence import CardMessages
from companion.game.table import Table
from engine.errors import CourtsideError
from engine.record_header import new_record
from tests.kit.card_film import SIZE, CardFilm, taught_faces
from tests.kit.card_games import Shot, game_frames
from tests.kit.options import run
from vision.cards.card_set import CardSet
from vision.cards.watching import smaller

LONG = 300.0  # milliseconds after a change


@dataclass
class CardScore:
    """The outcome of each purchase, use and illegal take.

    Attributes:
        counts: By what happened.
        idle: Milliseconds of each frame in which nothing moved.
        looks: Milliseconds of each frame after a change.
        delays: Seconds until an illegal take was reported.
    """

    counts: Counter[str] = field(default_factory=Counter)
    idle: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    def add(self, kept: Mapping[str, Any]) -> None:
        """Adds stored counts."""
        self.counts += Counter(kept["counts"])
        self.idle += kept["idle"]
        self.looks += kept["looks"]
        self.delays += kept["delays"]

    def fault(self, text: str) -> None:
        """Prints at once an event that was not recorded as played, because games last minutes."""
        print(f"  {text}", flush=True)

    def print(self) -> None:
        """Prints the table."""
        count = self.counts
        for what in ("purchase", "use"):
            whole = sum(count[f"{what} {how}"] for how in ("right", "asked", "missed", "wrong"))
            print(
                f"{what}s: {whole}; recorded as played {_share(count[f'{what} right'], whole)}, "
                f"asked {_share(count[f'{what} asked'], whole)}, not seen {_share(count[f'{what} missed'], whole)}, "
                f"undetected errors {_share(count[f'{what} wrong'], whole)}"
            )
        print(f"turns: {count['turns']}")
        delay = f"; after {np.median(self.delays):.1f} s, at most {max(self.delays):.1f}" if self.delays else ""
        print(f"cards taken that the roll does not buy: {count['bad']}, reported {count['bad reported']}{delay}")
        print(f"questions and notices shown without need: {count['needless']} in {count['rolls']} rolls")
        idle, looks = np.array(self.idle), np.array(self.looks or [0.0])
        print(f"nothing moves: median {np.median(idle):.1f} ms a frame, 95 % {np.quantile(idle, 0.95):.1f}")
        print(
            f"after a change ({len(looks)}): median {np.median(looks):.0f} ms, 95 % {np.quantile(looks, 0.95):.0f}, "
            f"worst {looks.max():.0f}"
        )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f} % ({part})"


class WatchedGame:
    """One game: its record is compared with the truth and corrected so that the game continues."""

    def __init__(self, seed: int, players: int, score: CardScore, learn: bool = False) -> None:
        self.seed, self.score, self.players = seed, score, players
        self.film = CardFilm(seed)
        self.table = Table(new_record("krone", ("Anna", "Bert", "Cleo")[:players]))
        zones = {name: self.film.zones[name] for name in ("display", *"ABC"[:players])}
        cards = CardSet("drawn", tuple(taught_faces(self.film)), "krone")
        self.follower = CardFollower(self.table, cards, None if learn else zones)
        self.recorded: list[str] = []  # events from the cards since the last check
        self.talking = False
        self.bad: float | None = None  # seconds when a card arrived that the roll cannot buy; infinite once reported

    def play(self, most: int) -> None:
        """Plays at most this many turns."""
        for shot in game_frames(self.seed, self.players, most, self.film):
            for line in shot.says:
                self.score.counts["rolls"] += line.split()[1] == "roll"
                self.score.counts["turns"] += line.split()[1] == "pass"
                try:
                    self.table.enter(line, "camera")
                except CourtsideError as error:
                    self.score.fault(f"game {self.seed}: “{line}” refused: {error}")
                    return
            before = len(self.table.lines)
            began = time.process_time()
            pieces = self.follower.notice(smaller(shot.image), shot.seconds, SIZE)
            if pieces:
                self.follower.read(shot.image, pieces, shot.seconds)
            spent = round(1000 * (time.process_time() - began), 1)
            if shot.seconds > 3:  # before that the whole table is read once
                (self.score.looks if pieces else self.score.idle).append(spent)
                if spent > LONG:
                    self.score.fault(f"game {self.seed}, {shot.seconds:.1f} s: read for {spent:.0f} ms")
            news = self.follower.judge(shot.seconds)
            self.recorded += [
                line.event for line in self.table.lines[before:] if line.move.split()[0] in ("buy", "use")
            ]
            self._judge(shot, news)

    def _judge(self, shot: Shot, news: CardMessages) -> None:
        count = self.score.counts
        talking = bool(news.questions or news.notices)
        if talking and not self.talking and shot.bad is None and shot.expects is None:
            count["needless"] += 1
            messages = [str(one.sentence) for one in (*news.questions, *news.notices)]
            self.score.fault(f"game {self.seed}, {shot.seconds:.1f} s: messages {messages}")
        self.talking = talking
        if shot.bad is None:
            self.bad = None
        elif self.bad is None:
            self.bad = shot.seconds
            count["bad"] += 1
        if self.bad is not None and not math.isinf(self.bad) and news.notices:
            count["bad reported"] += 1
            self.score.delays.append(shot.seconds - self.bad)
            self.bad = math.inf
        if shot.expects is None:
            return
        what = "use" if shot.expects.split()[1] == "use" else "purchase"
        count["turns"] += what == "purchase"
        recorded, self.recorded = self.recorded, []
        if recorded == [shot.expects]:
            count[f"{what} right"] += 1
            return
        asked = [event for question in news.questions for event in question.events]
        how = "wrong" if recorded else "asked" if shot.expects in asked else "missed"
        count[f"{what} {how}"] += 1
        seen = self.follower.seen
        lie = [f"{one.zone} {one.card.kind} {one.log_odds:.1f}" for one in seen.cards if one.zone != "display"]
        self.score.fault(
            f"game {self.seed}, {shot.seconds:.1f} s: {shot.expects}: {how}; recorded {recorded}, asked {asked}, "
            f"unread {sorted(seen.unread)}, seen {lie}"
        )
        for _ in recorded:
            self.table.undo("camera")
        self.table.enter(shot.expects)


def main(
    games: int = 4, seed: int = 1, players: int = 2, turns: int = 60, learn: bool = False, counts: Path | None = None
) -> None:
    """Plays and counts.

    Args:
        seed: Of the first game.
        turns: Maximum for each game.
        learn: The card zones are learned instead of drawn.
        counts: JSON file of games counted so far, which are skipped.
    """
    cv2.setNumThreads(1)
    done: dict[str, dict[str, Any]] = {}
    if counts is not None and counts.exists():
        done = json.loads(counts.read_text(encoding="utf-8"))
    for number in range(seed, seed + games):
        name = f"{number}{' learnt' if learn else ''}, {players} players, {turns} turns"
        if name in done:
            continue
        score = CardScore()
        WatchedGame(number, players, score, learn).play(turns)
        print(f"game {number}: {dict(score.counts)}", flush=True)
        done[name] = vars(score)
        if counts is not None:
            counts.write_text(json.dumps(done), encoding="utf-8")
    print(f"{len(done)} games of drawn editions: {', '.join(done)}")
    whole = CardScore()
    for one in done.values():
        whole.add(one)
    whole.print()


if __name__ == "__main__":
    run(main)
