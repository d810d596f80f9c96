"""A finished game looked back on: which decisions cost most, and how much of the result was luck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Done = TypeVar("Done")  # what happened: an event of the game
Better = TypeVar("Better")  # what would have been best


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could have been done, as `Decision.best` names it: how much win chance less than the best, and
    whether it was done."""

    choice: Any
    cost: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Decision(Generic[Done, Better]):
    """One event of the record. number: its place among them, from 0. cost: win chance given away against the best
    choice; best: that choice (here an action, or a card's id for a purchase), None: doing without. luck: win chance the
    throw gained (or lost, below 0) against what was to be expected. options: what was done, the best and up to two
    others, the best first; () where nothing was to be chosen."""

    number: int
    seat: str
    event: Done
    cost: float
    luck: float
    best: Better | None
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Review(Generic[Done, Better]):
    """A game looked back on. decisions: in the order of play. unseen: turns left out because a die was never read."""

    decisions: tuple[Decision[Done, Better], ...]
    unseen: int

    def costliest(self, number: int = 5) -> tuple[Decision[Done, Better], ...]:
        """The decisions that cost most, the worst first; none that cost nothing."""
        worst = sorted(self.decisions, key=lambda decision: -decision.cost)
        return tuple(decision for decision in worst[:number] if decision.cost > 1e-9)

    def luck(self, seat: str) -> float:
        """Win chance this player's throws gained in all."""
        return sum(decision.luck for decision in self.decisions if decision.seat == seat)

    def given_away(self, seat: str) -> float:
        """Win chance this player's decisions cost in all."""
        return sum(decision.cost for decision in self.decisions if decision.seat == seat)


_ALIKE = 0.002  # a fifth of a percentage point: who knows no better cannot tell such choices apart


def few_options(offers: Sequence[tuple[Any, float]], taken: Any) -> tuple[Option, ...]:
    """Of all choices and what they are worth, best first: the best, the one taken, and two others that are clearly
    worse, one of them by little and one in the middle of the rest."""
    if taken not in [choice for choice, _ in offers]:
        return ()
    top = offers[0][1]
    worse = [offer for offer in offers if top - offer[1] > _ALIKE and offer[0] != taken]
    others = list(dict.fromkeys((worse[0], worse[len(worse) // 2]))) if worse else []
    shown = [offer for offer in offers if offer == offers[0] or offer[0] == taken or offer in others]
    return tuple(Option(choice, max(0.0, top - value), choice == taken) for choice, value in shown)


def together(parts: Iterable[Review[Done, Better]]) -> Review[Done, Better]:
    """A game from its parts, in order."""
    found = list(parts)
    return Review(tuple(decision for part in found for decision in part.decisions), sum(part.unseen for part in found))
