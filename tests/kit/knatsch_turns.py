"""Sensible games of Knatsch, their attempts, and the players' steps for the simulated table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.dice import Faces, faces
from engine.knatsch.combination import EVERY_PRINTED
from engine.knatsch.deck import BOX
from engine.knatsch.events import (
    SIDES,
    Deal,
    Event,
    Keep,
    Learn,
    Lose,
    Pass,
    Reveal,
    Roll,
    Stop,
    Target,
    Under,
    event_text,
)
from engine.knatsch.game import can, play, read_event
from engine.knatsch.state import State, new_game
from engine.knatsch.targets import capture_refusal
from engine.record import Entry, Record
from engine.record_header import new_record
from engine.replay import replay_record
from tests.kit.script import Clear, Enter, RollDice, Step, TakeBack, Wait
from tests.kit.script import Keep as SetAside

NAMES = ("Anna", "Bert", "Carl", "Diane", "Manu")


def sensible_game(seed: int, players: int) -> Record:
    """A record from the deal to the winner. Players keep the most frequent value and stop once the card is won."""
    chance = random.Random(seed)
    state, entries = new_game(players, BOX), []
    while not state.finished:
        event = _chosen(chance, state)
        entries.append(Entry(state.seat, event))
        state = play(state, state.seat, event)
    return Record(new_record("knatsch", NAMES[:players]).tags, tuple(entries))


def _chosen(chance: random.Random, state: State) -> Event:
    if state.dealing:
        free = [card for card in state.deck.crests if not any(player.has(card) for player in state.seated)]
        return Deal(chance.choice(free), chance.choice(EVERY_PRINTED[:15]))
    for side in SIDES:
        if state.hidden(side):
            card = chance.choices([card for card, _ in state.unseen], [count for _, count in state.unseen])[0].id
            return Reveal(side, card, None if card == "tournament" else chance.choice(EVERY_PRINTED[:15]))
    if state.revenge:
        return Lose(state.player(state.turn).castles[0], "left")
    return _throwing(chance, state) if state.attempt else _naming(chance, state)


def _naming(chance: random.Random, state: State) -> Event:
    places = [place for place in state.places() if capture_refusal(state, place) is None]
    castles = [
        place for place in places if "castle-" in getattr(place, "card", getattr(state.card_at(place), "id", ""))
    ]
    for place in (castles or places)[:1]:
        return Target(place) if state.to_beat(place) is not None else Learn(place, chance.choice(EVERY_PRINTED[:10]))
    given_up: tuple[Event, ...] = (Pass(), Under("left"), Under("right"))
    return next(event for event in given_up if can(state, state.turn, event))


def _throwing(chance: random.Random, state: State) -> Event:
    attempt = state.attempt
    assert attempt is not None
    if attempt.to_roll:
        return Roll(tuple(chance.randint(1, 6) for _ in range(attempt.to_roll)))
    if state.result.beats(attempt.leading) and attempt.leader != attempt.seat:
        return Stop()
    others = [face for face in attempt.dice or () if face != 6]
    most = max(others, key=lambda face: (others.count(face), face))
    keep = tuple(face for face in others if face == most)
    return Stop() if len(keep) == len(others) else Keep(keep)


def attempts(seed: int, players: int) -> Iterator[tuple[State, list[str]]]:
    """The attempts of a sensible game: the position before the card is named, and the lines until the last roll."""
    game = sensible_game(seed, players)
    begun: State | None = None
    lines: list[str] = []
    for state, entry in zip(replay_record(game).states, game.entries, strict=False):
        if begun is not None and state.attempt is None:
            yield begun, lines
            begun = None
        if isinstance(entry.event, Target):
            begun, lines = state, []
        if begun is not None:
            lines.append(f"{entry.seat} {event_text(entry.event)}")
    if begun is not None:
        yield begun, lines


def script_of(begun: State, lines: Sequence[str], late: bool) -> list[Step]:
    """The steps of one attempt, with a short time of empty table before and after. late: the card is named after the
    first roll."""
    entries = [Entry(line[0], read_event(line[2:])) for line in lines]
    states = [begun]
    for entry in entries:
        states.append(play(states[-1], entry.seat, entry.event))
    todo: list[Step] = list(steps_of(entries, states))
    if late:
        named = todo.pop(0)
        todo.insert(1, named)
    return [Wait(seconds=0.6), *todo, Clear(seat=begun.seat), Wait(seconds=1.2)]


def steps_of(entries: Sequence[Entry], states: Sequence[State]) -> Iterator[Step]:
    """The players' steps: dice set aside, taken back and rolled; all other events are typed.

    A stop that the dice do not show (they are taken, without a six or a beaten card) is typed too.
    """
    row: Faces = ()  # dice in the kept row
    dice_on_table = False
    for state, entry in zip(states, entries, strict=False):
        seat, event, attempt = entry.seat, entry.event, state.attempt
        line = f"{seat} {event_text(event)}"
        match event:
            case Roll(dice) if attempt is not None and attempt.dice is None:
                if dice_on_table:
                    yield Clear(seat=seat)
                    yield Wait(seconds=0.8)
                yield RollDice(seat=seat, values=dice, line=line)
                row, dice_on_table = (), True
            case Roll(dice) if attempt is not None:
                stays = faces((*(attempt.kept or ()), *(6,) * attempt.sixes))
                back = _less(row, stays)
                aside = _less(stays, row)
                if aside:
                    yield SetAside(seat=seat, values=aside)
                if back:
                    yield TakeBack(seat=seat, values=back)
                yield RollDice(seat=seat, values=dice, line=line)
                row = stays
            case Keep():
                pass
            case Stop():
                assert attempt is not None
                target = state.card_at(attempt.place)
                tournament = target is not None and target.id == "tournament"
                if not attempt.sixes and (tournament or not state.result.beats(attempt.leading)):
                    yield Enter(seat=seat, line=line)
                yield Clear(seat=seat)
                yield Wait(seconds=0.8)
                dice_on_table = False
            case _:
                yield Enter(seat=seat, line=line)


def _less(pool: Faces, part: Faces) -> Faces:
    rest = list(pool)
    for face in part:
        if face in rest:
            rest.remove(face)
    return tuple(rest)
