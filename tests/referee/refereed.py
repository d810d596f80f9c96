"""Shared by the referee's tests: a game of two players, whose referee sees dice without pictures."""

from __future__ import annotations

from dataclasses import replace

from companion.game.referee import referee_for
from companion.game.referee.observation import Observer
from companion.game.referee.rolled import roll_chance
from companion.game.referee.stays import Snapshot
from companion.game.table import Table
from engine.games import game
from engine.krone.cards import ORDER
from engine.krone.state import RULESETS, new_game, new_turn
from engine.record_header import new_record
from tests.kit.laid_table import LaidDie, LaidTable
from tests.kit.script import steps
from vision.types import Reading


def table(*cards: str, others: tuple[str, ...] = (), **more: object) -> Table:
    """A game of two players in which A, on turn, has these cards and B those; `more`: fields of the position."""
    rules = RULESETS["amigo2006"]
    tableaux = tuple(tuple(sorted(own, key=ORDER.__getitem__)) for own in (cards, others))
    state = replace(new_game(2, rules), tableaux=tableaux, turn=new_turn(rules, tableaux[0]), **more)
    header = new_record("krone", ["Anna", "Bert"], Position=game("krone").position_text(state))
    return Table(header, referee_for(header))


def events(of: Table) -> list[str]:
    return [line.event for line in of.lines]


def preview(of: Table) -> list[str]:
    return [finding.event for finding in of.preview]


def shown(of: Table) -> list[str]:
    """The record, and the preview that the turn has not confirmed yet."""
    return events(of) + preview(of)


def answers(of: Table) -> list[list[str]]:
    return [[", ".join(answer) for answer in question.answers] for question in of.questions]


def play(record: str, game_: Table, laid: LaidTable) -> None:
    """Performs the record on a table, with its purchases entered."""
    for seen in laid.perform(steps(record)):
        if isinstance(seen, str):
            game_.enter(seen)
        else:
            game_.see(seen)


def throw(game_: Table, laid: LaidTable, *values: int) -> None:
    laid.throw(values)
    game_.see(laid.read())


def misread(game_: Table, laid: LaidTable, *values: int, seems: int) -> LaidDie:
    """Rolls these values; the first die seems to show another one, not quite surely. Returns that die."""
    laid.throw(values)
    die = laid.active(values[0])
    die.seems, die.sure = seems, 0.82
    game_.see(laid.read())
    return die


def keep(game_: Table, laid: LaidTable, *values: int) -> None:
    for value in values:
        laid.keep(value)
        game_.see(laid.read())


def snapshots(*readings: Reading) -> list[Snapshot]:
    """The snapshots of these readings, two seconds apart."""
    observer, found = Observer(), []
    for number, reading in enumerate(readings):
        reading = replace(reading, seconds=2.0 * number)
        observer.watch(reading)
        observer.snapshot = observer.see(reading)
        found.append(observer.snapshot)
    return found


def odds(before: Reading, now: Reading) -> dict[int, float]:
    """By track, log odds that a die was rolled between two readings."""
    first, then = snapshots(before, now)
    return {sighting.stay.track: roll_chance(sighting, then, first).odds for sighting in then.sightings}
