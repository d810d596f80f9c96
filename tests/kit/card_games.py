"""Whole games of Um Krone und Kragen played with drawn cards in front of a camera, frame by frame, with the truth.

Players take cards from the display and place them in overlapping tableaux, turn used cards and turn them back,
hesitate, rest a hand, straighten rows, put a card back, and sometimes take one that the roll does not buy. Dice are not
drawn: their events come from the script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.krone.events import read_event
from engine.krone.rules import play
from engine.krone.state import State
from tests.kit.card_film import CardFilm, CardsOnTable
from tests.kit.card_table import LaidCard
from tests.kit.dice import Picture
from tests.kit.random_games import random_turns

Spot = tuple[float, float]
STILL = 0.25  # seconds between frames


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame.

    Attributes:
        says: Lines from the dice so far.
        expects: The record expected from the cards alone at the end of this frame; None for no check.
        bad: Seat and card if a card is on the table that the roll does not buy.
    """

    seconds: float
    image: Picture
    says: tuple[str, ...] = ()
    expects: str | None = None
    bad: str | None = None


def game_frames(seed: int, players: int, most: int, film: CardFilm) -> Iterator[Shot]:
    """The frames of one game, at most `most` turns."""
    people: CardPlayers | None = None
    for state, lines in random_turns(seed, players, most=most):
        if people is None:
            for_sale = {kind: count for kind, count in state.display.items() if count}
            people = CardPlayers(
                film, CardsOnTable(for_sale | {"fool": players}, {seat: [] for seat in "ABC"[:players]})
            )
            yield from people.still(4)
        yield from people.turn(state, lines)


class CardPlayers:
    """The players' actions with their cards, frame by frame."""

    def __init__(self, film: CardFilm, table: CardsOnTable) -> None:
        self.film, self.table, self.rng = film, table, film.rng
        self.clock = 0.0
        self.dice: Picture | None = None  # contents of the tray
        self.payable: frozenset[str] = frozenset()  # cards that the dice of this turn can buy

    def turn(self, state: State, lines: Sequence[str]) -> Iterator[Shot]:
        """One turn, and the cards turned back after it."""
        table, seat = self.table, state.seat
        self.payable = payable(state, lines)
        for line in lines:
            verb, _, rest = line[2:].partition(" ")
            if verb == "use" and rest.split()[0] in table.tableaux[seat]:
                yield from self._use(seat, line)
            elif verb == "buy":
                yield from self.buy(line)
            else:
                yield self._shot([line])
        yield from self.end(seat)

    def end(self, seat: str) -> Iterator[Shot]:
        """The actions after a turn: used cards are turned back, and sometimes a row is straightened."""
        table = self.table
        if table.across:
            table.across.clear()
            yield from self.still(3)
        if table.tableaux[seat] and self.rng.uniform() < 0.1:  # straightened
            for number in range(len(table.tableaux[seat])):
                table.shifts[seat, number] = self._untidy()
            yield self._shot(hand=self._reach(seat, self.film.place(table, seat, 0)[:2]))
            yield from self.still(3)

    def still(self, frames: int) -> Iterator[Shot]:
        """Frames without motion."""
        for _ in range(frames):
            yield self._shot()

    def _shot(
        self,
        says: Sequence[str] = (),
        expects: str | None = None,
        bad: str | None = None,
        hand: tuple[Spot, Spot] | None = None,
        carried: LaidCard | None = None,
    ) -> Shot:
        self.clock += STILL
        image = self.film.frame(self.table, hand, carried, self.dice)
        return Shot(self.clock, image, tuple(says), expects, bad)

    def _untidy(self) -> tuple[float, float, float]:
        x, y, turn = (float(v) for v in self.rng.normal(0, (2.0, 2.0, 2.0)))
        return x, y, turn

    def _reach(self, seat: str, at: Spot) -> tuple[Spot, Spot]:
        """Wrist and fingertip of a hand that comes from its player's side, in pixels."""
        wrist = (1279.0, at[1] - 20) if seat == "C" else (at[0] + float(self.rng.normal(60, 40)), 719.0)
        wrist = wrist[0] * self.film.scale, wrist[1] * self.film.scale
        x, y = cv2.perspectiveTransform(np.array([[at]], np.float64), self.film.camera)[0, 0]
        return wrist, (float(x), float(y))

    def _use(self, seat: str, line: str) -> Iterator[Shot]:
        """The frames in which a used card is rotated by 90 degrees; if dice show the use, its line follows from
        them."""
        words = line[2:].split()
        yield from self.turn_across(seat, words[1])
        adds_a_die = len(words) == 2  # such a use needs no line from the dice
        yield self._shot(expects=line) if adds_a_die else self._shot([line])

    def turn_across(self, seat: str, card: str) -> Iterator[Shot]:
        """The frames in which a card is rotated by 90 degrees."""
        number = self.table.tableaux[seat].index(card)
        yield self._shot(hand=self._reach(seat, self.film.place(self.table, seat, number)[:2]))
        self.table.across.add((seat, number))
        yield from self.still(6)

    def buy(self, line: str) -> Iterator[Shot]:
        """The frames in which a card is taken and placed, sometimes after another or a wrong one for a moment."""
        table, seat, kind = self.table, line[0], line.split()[-1]
        others = [one for one in table.display if one not in ("king", "queen", "fool", kind)]
        if others and self.rng.uniform() < 0.06:  # placed for a moment only
            other = str(self.rng.choice(others))
            yield from self._lay(seat, other)
            yield from self.still(2)
            yield from self._take_back(seat, other)
        if self.rng.uniform() < 0.04 and (bad := _too_dear(table, seat, self.payable)):
            yield from self._lay(seat, bad)
            for _ in range(36):
                yield self._shot(bad=f"{seat} {bad}")
            yield from self._take_back(seat, bad)
            yield from self.still(3)
        for one in (kind, "queen") if kind == "king" else (kind,):
            yield from self._lay(seat, one)
        yield from self.still(9)
        yield self._shot(expects=line)

    def _lay(self, seat: str, kind: str) -> Iterator[Shot]:
        """The frames in which a card moves from the display to a tableau; the Charlatan is the Fool turned over."""
        film, table = self.film, self.table
        number = len(table.tableaux[seat])
        there = film.place(table, seat, number)[:2]
        source = there if kind == "charlatan" else film.stack(kind)
        yield self._shot(hand=self._reach(seat, source))
        if kind == "charlatan":
            table.tableaux[seat][table.tableaux[seat].index("fool")] = "charlatan"
            return
        table.display[kind] -= 1
        if not table.display[kind]:
            del table.display[kind]
        halfway = ((source[0] + there[0]) / 2, (source[1] + there[1]) / 2)
        carried = LaidCard(kind, film.face_of[kind], halfway, film.width, float(self.rng.normal(0, 10)))
        yield self._shot(hand=self._reach(seat, (halfway[0] + 30, halfway[1] + 45)), carried=carried)
        table.tableaux[seat].append(kind)
        table.shifts[seat, number] = self._untidy()
        if self.rng.uniform() < 0.4:  # the hand rests on it
            for _ in range(int(self.rng.integers(1, 6))):
                yield self._shot(hand=self._reach(seat, (there[0], there[1] + 25)))

    def _take_back(self, seat: str, kind: str) -> Iterator[Shot]:
        table = self.table
        at = self.film.place(table, seat, len(table.tableaux[seat]) - 1)[:2]
        yield self._shot(hand=self._reach(seat, at))
        table.tableaux[seat].pop()
        table.display[kind] = table.display.get(kind, 0) + 1
        yield self._shot(hand=self._reach(seat, self.film.stack(kind)))


def payable(state: State, lines: Sequence[str]) -> frozenset[str]:
    """The cards that the dice of this turn can buy in the end."""
    for line in lines:
        if line.split()[1] == "buy":
            return frozenset(state.purchases(state.turn.active))
        state = play(state, line[0], read_event(line[2:]))
    return frozenset()


def _too_dear(table: CardsOnTable, seat: str, payable: frozenset[str]) -> str | None:
    """A card that the roll does not buy and the player does not have."""
    dear = (one for one in ("general", "nobleman", "bishop") if one in table.display and one not in payable)
    return next((one for one in dear if one not in table.tableaux[seat]), None)
