"""The events of a game that are announced on every screen: what a turn came to, attacks, the King, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.game.changes import Line, Sentence
from engine.knatsch.events import Held, TheKing
from engine.knatsch.state import State as KnatschState
from engine.krone.state import State as KroneState

Kind = Literal["card", "none", "attack", "crown"]  # what it sounds like
Said = tuple[Sentence, Kind]
Describe = Callable[[Any, Any, Line], Said | None]
_NEWEST = 8  # lines among which the latest announcement is looked for


@dataclass(frozen=True, slots=True)
class Moment:
    """One announced event.

    Attributes:
        number: of its line in the record; the page announces each number once.
        sentence: what happened.
        kind: which sound belongs to it.
        great: it is announced across the whole width.
    """

    number: int
    sentence: Sentence
    kind: Kind

    @property
    def great(self) -> bool:
        """Whether everybody at the table looks up."""
        return self.kind == "crown"


def latest_moment(lines: Sequence[Line], states: Sequence[Any], describe: Describe) -> Moment | None:
    """The latest announced event. states: the position before each line, and after the last one."""
    last = min(len(lines), len(states) - 1)
    for place in range(last, max(0, last - _NEWEST), -1):
        said = describe(states[place - 1], states[place], lines[place - 1])
        if said is not None:
            return Moment(lines[place - 1].number, *said)
    return None


def krone_moment(before: KroneState, after: KroneState, line: Line) -> Said | None:
    """What an event of Um Krone und Kragen came to; None for what happens within a turn."""
    verb, *words = line.move.split()
    if after.finished and not before.finished:
        return Sentence("{seat} wins the crown.", {"seat": after.winner or line.seat}), "crown"
    if before.final and (before.seat != after.seat or before.turn.over != after.turn.over):
        return _challenge(before, after, line.seat)
    if verb == "buy" and words[0] == "king" and after.threshold:
        count, face = after.threshold
        values = _values(line.seat, count, face)
        return Sentence("{seat} claims the King. Final round: beat {count} × {face}.", values), "crown"
    if verb == "buy":
        return Sentence("{seat} takes the {card}.", {"seat": line.seat, "card": words[0]}), "card"
    if verb == "pass":
        return Sentence("{seat} takes no card.", {"seat": line.seat}), "none"
    return None


def _challenge(before: KroneState, after: KroneState, seat: str) -> Said | None:
    """How a turn of the final round ended."""
    if after.threshold and after.threshold != before.threshold:
        count, face = after.threshold
        return Sentence("{seat} takes the King. Now beat {count} × {face}.", _values(seat, count, face)), "crown"
    if before.seat == after.seat or not before.threshold:
        return None
    count, face = before.threshold
    return Sentence("{seat} does not beat {count} × {face}.", _values(seat, count, face)), "none"


def _values(seat: str, count: int, face: int) -> dict[str, str | int]:
    return {"seat": seat, "count": count, "face": face}


def knatsch_moment(before: KnatschState, after: KnatschState, line: Line) -> Said | None:
    """What an event of Knatsch came to; None for what happens within an attempt."""
    verb, *words = line.move.split()
    if after.finished and not before.finished:
        return Sentence("{seat} wins the game.", {"seat": after.winner or line.seat}), "crown"
    if verb == "lose":
        return Sentence("{seat} loses the {card} to the King.", {"seat": line.seat, "card": words[0]}), "none"
    if verb == "target" and len(words) == 2:
        values = {"seat": line.seat, "owner": words[0], "card": words[1]}
        return Sentence("{seat} attacks {owner}: {card}.", values), "attack"
    attempt = before.attempt
    if attempt is None or after.attempt == attempt:
        return None
    if after.attempt and after.attempt.seat != attempt.seat:
        return _passed_on(before, after)
    return None if after.attempt else _outcome(before, after)


def _passed_on(before: KnatschState, after: KnatschState) -> Said | None:
    """The next player rolls: an owner defends a castle, or a tournament goes on."""
    assert after.attempt is not None
    if not isinstance(after.attempt.place, Held):
        return None
    values = {"seat": before.turn, "owner": after.attempt.seat, "card": after.attempt.place.card}
    return Sentence("{seat} beats the {card}. {owner} may defend it.", values), "attack"


def _outcome(before: KnatschState, after: KnatschState) -> Said | None:
    """An attempt is over: who has a card now who did not have it before, or who failed."""
    attempt = before.attempt
    assert attempt is not None
    for seat in before.seats:
        for card in {card.id for card in after.player(seat).cards}:
            if _count(after, seat, card) <= _count(before, seat, card):
                continue
            if card == "tournament":
                return Sentence("{seat} wins the tournament.", {"seat": seat}), "card"
            if isinstance(attempt.place, Held):
                values = {"seat": seat, "owner": attempt.place.seat, "card": card}
                return Sentence("{seat} captures the {card} from {owner}.", values), "crown"
            return Sentence("{seat} captures the {card}.", {"seat": seat, "card": card}), "card"
    if isinstance(attempt.place, TheKing):
        if after.revenge:
            return Sentence("{seat} does not beat the King and loses a castle.", {"seat": before.turn}), "crown"
        return Sentence("{seat} does not beat the King.", {"seat": before.turn}), "none"
    if isinstance(attempt.place, Held) and attempt.seat == attempt.place.seat:
        return Sentence("{owner} defends the {card}.", {"owner": attempt.seat, "card": attempt.place.card}), "card"
    target = before.card_at(attempt.place)
    values = {"seat": before.turn, "card": target.id if target else ""}
    return Sentence("{seat} does not beat the {card}.", values), "none"


def _count(state: KnatschState, seat: str, card: str) -> int:
    return sum(own.id == card for own in state.player(seat).cards)
