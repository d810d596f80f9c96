"""A story: legal events that lead from the recorded position to what lies on the table, and how likely it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import Illegal
from engine.krone.cards import CARDS
from engine.krone.events import Event, Keep, Roll, Use, event_text
from engine.krone.rules import play
from engine.krone.state import State

# Log chances of what people do, from watching games rather than from theory; only their order and rough size matter.
CARD = -2.0  # a card was used
SECOND_CARD = -5.0  # … and another one before the next reading
DEARER = -0.02  # the cheaper card first: times the card's place in the rules' table


@dataclass(frozen=True, slots=True)
class Story:
    """state: where the events lead; score: log chance without a common constant; known: so many of the events were
    already seen by the reading before."""

    state: State
    events: tuple[tuple[str, Event], ...] = ()
    score: float = 0.0
    known: int = 0

    def then(self, event: Event, cost: float = 0.0, seat: str | None = None) -> Story | None:
        """The story with one more event, None where the rules do not allow it."""
        who = seat or self.state.seat
        try:
            state = play(self.state, who, event)
        except Illegal:
            return None
        return Story(state, (*self.events, (who, event)), self.score + cost, self.known)

    def keep(self, dice: tuple[int, ...]) -> Story | None:
        """The story with these dice set aside; itself when there are none."""
        return self.then(Keep(dice)) if dice else self

    def at(self, cost: float) -> Story:
        """The same story, less or more likely."""
        return replace(self, score=self.score + cost)

    def texts(self) -> tuple[str, ...]:
        """Its events as a record writes them, keeps that follow each other as one."""
        merged: list[tuple[str, Event]] = []
        for seat, event in self.events:
            if isinstance(event, Keep) and merged and isinstance(merged[-1][1], Keep) and merged[-1][0] == seat:
                merged[-1] = (seat, Keep(merged[-1][1].dice + event.dice))
            else:
                merged.append((seat, event))
        return tuple(f"{seat} {event_text(event)}" for seat, event in merged)


def is_throw(event: Event) -> bool:
    """Whether dice are thrown in this event, rather than moved by hand."""
    return isinstance(event, Roll) or (isinstance(event, Use) and CARDS[event.card].ability == "reroll")
