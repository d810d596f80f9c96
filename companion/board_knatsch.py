"""What the page shows of a game of Knatsch: plain data, no language, no HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.changes import Doubt, Line
from companion.scoreboard import Problem, Question, RecordLine
from engine.dice import Faces, read_dice
from engine.errors import Unreadable
from engine.knatsch.deck import Card, is_castle
from engine.knatsch.events import SIDES, Deal, Guard, Held, Learn, Lose, Pass, Reveal, Stop, Target, Under, event_text
from engine.knatsch.legal import legal
from engine.knatsch.state import State


@dataclass(frozen=True, slots=True)
class Shown:
    """A card face up. combination: as text, "" while unknown; guarded: a guard lies with it."""

    id: str
    combination: str
    castle: bool
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """One of the two stacks. top: None while nobody has said what lies there, or when it is empty."""

    side: str
    cards: int
    top: Shown | None


@dataclass(frozen=True, slots=True)
class Knight:
    """One player: her cards, and how near she is to winning."""

    seat: str
    name: str
    to_move: bool
    cards: tuple[Shown, ...]
    castles: int
    tournaments: int


@dataclass(frozen=True, slots=True)
class Attack:
    """The running attempt. target: words of the place; beat: combination to beat; result: of the dice as they lie."""

    target: tuple[str, ...]
    beat: str
    result: str
    throws: int
    name: str


@dataclass(frozen=True, slots=True)
class KnatschBoard:
    """One version of the game, ready to be shown.

    moves: events without dice or unknown cards, as texts with their seat; asks: ("deal",), ("reveal", side) or
    ("combination", place words…) that wait for a card or a combination to be told; cards: what may turn up.
    """

    version: str
    round: int
    winner: str | None
    seat: str
    name: str
    attack: Attack | None
    dice: Faces
    kept: Faces
    to_roll: int
    may_keep: bool
    moves: tuple[str, ...]
    asks: tuple[tuple[str, ...], ...]
    cards: tuple[str, ...]
    stacks: tuple[Stack, ...]
    players: tuple[Knight, ...]
    lines: tuple[RecordLine, ...]
    may_undo: bool
    may_redo: bool
    doubts: tuple[Question, ...]
    problem: Problem | None


def knatsch_board(
    version: str,
    state: State,
    names: Sequence[str],
    lines: Sequence[Line],
    *,
    may_undo: bool = False,
    may_redo: bool = False,
    doubts: Sequence[Question] = (),
    problem: Problem | None = None,
) -> KnatschBoard:
    """Arrange one version of a game; `names` in seat order."""
    called = dict(zip(state.seats, names, strict=True))
    attempt = state.attempt
    moves, asks, cards = _choices(state)
    return KnatschBoard(
        version=version,
        round=state.round,
        winner=None if state.winner is None else called[state.winner],
        seat=state.seat,
        name=called[state.seat],
        attack=_attack(state, called),
        dice=tuple(reversed(attempt.dice or ())) if attempt else (),
        kept=tuple(reversed(attempt.kept or ())) if attempt else (),
        to_roll=state.to_roll,
        may_keep=bool(attempt and attempt.dice and attempt.kept is None and attempt.throws),
        moves=moves,
        asks=asks,
        cards=cards,
        stacks=tuple(Stack(side, len(state.stack(side)), _shown(state.top(side))) for side in SIDES),
        players=tuple(_knight(state, seat, called[seat]) for seat in state.seats),
        lines=knatsch_lines(lines, called),
        may_undo=may_undo,
        may_redo=may_redo,
        doubts=tuple(doubts),
        problem=problem,
    )


def _choices(state: State) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[str, ...]]:
    moves: dict[str, None] = {}
    asks: dict[tuple[str, ...], None] = {}
    cards: dict[str, None] = {}
    for seat, event in legal(state):
        match event:
            case Deal(card):
                asks[("deal",)] = None
                cards[card] = None
            case Reveal(side, card):
                asks[("reveal", side)] = None
                cards[card] = None
            case Learn():
                asks[tuple(event_text(event).split()[:-1])] = None
            case Stop() | Pass() | Under() | Guard() | Target() | Lose():
                moves[f"{seat} {event_text(event)}"] = None
    return tuple(moves), tuple(asks), tuple(cards)


def _attack(state: State, called: dict[str, str]) -> Attack | None:
    attempt = state.attempt
    if attempt is None:
        return None
    target = tuple(event_text(Target(attempt.place)).split()[1:])
    if isinstance(attempt.place, Held):
        target = (called[attempt.place.seat], attempt.place.card)
    result = str(state.result) if attempt.dice else ""
    return Attack(
        target, str(attempt.leading) if attempt.leading.group else "", result, attempt.throws, called[attempt.seat]
    )


def _shown(card: Card | None, guarded: bool = False) -> Shown | None:
    if card is None:
        return None
    return Shown(card.id, "" if card.shows is None else str(card.shows), is_castle(card.id), guarded)


def _knight(state: State, seat: str, name: str) -> Knight:
    player = state.player(seat)
    cards = tuple(shown for card in player.cards if (shown := _shown(card, player.guarded(card.id))))
    return Knight(seat, name, seat == state.seat, cards, len(player.castles), player.tournaments)


def knatsch_question(doubt: Doubt, called: dict[str, str]) -> Question:
    """A doubt as the page asks it."""
    answers = tuple(knatsch_lines([Line(0, event, "camera") for event in answer], called) for answer in doubt.answers)
    return Question(doubt.number, doubt.sentence, answers)


def knatsch_lines(lines: Sequence[Line], called: dict[str, str]) -> tuple[RecordLine, ...]:
    """The record's lines; words that are no dice stand in `words`."""
    found: list[RecordLine] = []
    for line in lines:
        verb, *words = line.move.split()
        try:
            dice, words = tuple(reversed(read_dice(words))), []
        except Unreadable:
            dice = ()
        begins = not found or found[-1].seat != line.seat
        name = called.get(line.seat, line.seat)
        found.append(
            RecordLine(
                line.number, line.seat, name, verb, None, (), dice, line.by, line.confidence, begins, tuple(words)
            )
        )
    return tuple(found)
