"""Post-game review: which decisions cost most, and how much of the result was luck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

EventT = TypeVar("EventT")  # an event of the game
ChoiceT = TypeVar("ChoiceT")  # the best choice


@dataclass(frozen=True, slots=True)
class Option:
    """One possible choice.

    Attributes:
        cost: Win probability lost against the best choice, 0..1.
        taken: Whether the player chose it.
    """

    choice: Any
    cost: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Decision(Generic[EventT, ChoiceT]):
    """One event of the record.

    Attributes:
        number: Its index among the events.
        cost: Win probability lost against the best choice.
        best: The best choice: an action, or a card's id for a purchase; None for doing nothing.
        luck: Win probability that the roll gained (negative: lost) against its expectation.
        options: The chosen option, the best and up to two others, the best first; () without a choice.
    """

    number: int
    seat: str
    event: EventT
    cost: float
    luck: float
    best: ChoiceT | None
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Review(Generic[EventT, ChoiceT]):
    """The review of a game.

    Attributes:
        decisions: In the order of play.
        unseen: Turns left out because a die was never read.
    """

    decisions: tuple[Decision[EventT, ChoiceT], ...]
    unseen: int

    def costliest(self, number: int = 5) -> tuple[Decision[EventT, ChoiceT], ...]:
        """The decisions that cost most, the worst first, without those that cost nothing."""
        worst = sorted(self.decisions, key=lambda decision: -decision.cost)
        return tuple(decision for decision in worst[:number] if decision.cost > 1e-9)

    def luck(self, seat: str) -> float:
        """Win probability that this player gained by luck in all."""
        return sum(decision.luck for decision in self.decisions if decision.seat == seat)

    def decision_cost(self, seat: str) -> float:
        """Win probability that this player lost by decisions in all."""
        return sum(decision.cost for decision in self.decisions if decision.seat == seat)


_ALIKE = 0.002  # a fifth of a percentage point: smaller differences between choices are not shown


def few_options(offers: Sequence[tuple[Any, float]], taken: Any) -> tuple[Option, ...]:
    """Selects options to show: the best, the one taken, and two others that are clearly worse (one slightly, one in the
    middle of the rest).

    Args:
        offers: Every choice with its value, best first.
    """
    if taken not in [choice for choice, _ in offers]:
        return ()
    top = offers[0][1]
    worse = [offer for offer in offers if top - offer[1] > _ALIKE and offer[0] != taken]
    others = list(dict.fromkeys((worse[0], worse[len(worse) // 2]))) if worse else []
    shown = [offer for offer in offers if offer == offers[0] or offer[0] == taken or offer in others]
    return tuple(Option(choice, max(0.0, top - value), choice == taken) for choice, value in shown)


def joined(parts: Iterable[Review[EventT, ChoiceT]]) -> Review[EventT, ChoiceT]:
    """Joins the reviews of parts of a game, in order."""
    found = list(parts)
    return Review(tuple(decision for part in found for decision in part.decisions), sum(part.unseen for part in found))
