"""Scores how well a turn was recorded, given its truth and other explanations of the same dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from companion.game.changes import Question
from companion.game.table import Table
from engine.krone.cards import CARDS
from engine.krone.events import Keep, Use, read_event
from engine.krone.rules import can, play
from engine.replay import Replay

MAX_ANSWERED = 6  # maximum number of questions that a person answers about one turn


@dataclass(frozen=True, slots=True)
class TurnScore:
    """The score of one turn.

    Attributes:
        ambiguous: Another card of the player would have left the same dice.
        exact: Recorded as it was played.
        doubted: A question was raised.
        asked: A question that matters was raised.
        offered: One of the first three answers makes it exact.
    """

    ambiguous: bool
    exact: bool
    doubted: bool
    asked: bool
    offered: bool


def score(begun: Any, truth: Sequence[str], table: Table, questions: Sequence[Question]) -> TurnScore:
    """Compares the lines of `table` with those of one turn. questions: those raised during it."""
    recorded = [line.event for line in table.lines]
    exact = essence(recorded) == essence(truth)
    offered = exact or any(essence(lines) == essence(truth) for lines in _answered(table))
    return TurnScore(ambiguous(begun, truth), exact, bool(questions), any(one.matters for one in questions), offered)


def essence(lines: Sequence[str]) -> object:
    """The turn's rolls and uses in order, its result and its purchase.

    When dice were set aside is left out, except in Knatsch, where separate lines record it.
    """
    if any(line[2:8] == "target" for line in lines):
        return tuple(lines)
    events = [(line[0], read_event(line[2:])) for line in lines]
    kept = sorted(die for _, event in events if isinstance(event, Keep) for die in event.dice)
    return [(seat, event) for seat, event in events if not isinstance(event, Keep)], kept


def announced(lines: Sequence[str]) -> object:
    """The essence of a turn whose players announce no pass."""
    return essence([line for line in lines if line.split()[1] != "pass"])


def differences(
    played: Sequence[Sequence[str]], game: Replay, same: Callable[[Sequence[str]], object] = essence
) -> list[str]:
    """The turns that were not recorded as played, in two lines each. `same`: the part of a turn that counts."""
    pairs = zip_longest(played, turns_of(game), fillvalue=list[str]())
    return [
        f"played   {', '.join(true)}\nrecorded {', '.join(seen)}" for true, seen in pairs if same(true) != same(seen)
    ]


def turns_of(game: Replay) -> list[list[str]]:
    """A record's lines by turn. A roll after all dice were set aside starts another one, also for the same player."""
    turns: list[list[str]] = [[]]
    for entry, state in zip(game.record.entries, game.states, strict=False):
        text = game.game.event_text(entry.event)
        verb = text.split()[0]
        if turns[-1] and ((state.turn.over and verb == "roll") or turns[-1][0][0] != entry.seat):
            turns.append([])
        turns[-1].append(f"{entry.seat} {text}")
        if verb in ("buy", "pass"):
            turns.append([])
    return [turn for turn in turns if turn]


def _answered(table: Table, settled: tuple[int, ...] = ()) -> Iterator[list[str]]:
    """Yields the events for every combination of the first three answers to each open question."""
    question = next((question for question in table.questions if question.number not in settled), None)
    if question is None or len(settled) > MAX_ANSWERED:
        yield [line.event for line in table.lines]
        return
    yield from _answered(table, (*settled, question.number))
    for choice in range(1, min(3, len(question.answers))):
        table.answer(question.number, choice)
        yield from _answered(table, (*settled, question.number))
        table.undo()


def ambiguous(begun: Any, truth: Sequence[str]) -> bool:
    """Whether the turn used a card for which another unused card of the player would have left the same dice."""
    state, seat = begun, truth[0][0]
    for line in truth if begun.GAME == "krone" else ():
        event = read_event(line[2:])
        if isinstance(event, Use):
            early = not state.turn.rolled
            others = {card for card in state.tableau(seat) if card != event.card and card not in state.turn.used}
            for card in others:
                if early and CARDS[card].ability == "add":
                    return True
                if can(state, seat, Use(card, event.before, event.after)) and not early:
                    return True
                pips = CARDS[event.card].pips or (event.after[0] if event.card == "queen" else 0)
                if pips and CARDS[card].ability == "add" and CARDS[card].pips in (0, pips):
                    return True
        state = play(state, seat, event)
    return False
