"""Evidence of used cards: a player who uses a card turns it by a quarter, and turns it back after the turn.

`companion/game/used_cards.py` detects it. Some players turn the card before the dice, some after, some never; the rate
is learned at each table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.game.referee.model import Hypothesis

# Counted in a film of 37 turns with tableaux of up to thirteen overlapping cards. Of 120 used cards, 71 were seen
# turned, 47 were hidden under the card beside them, 2 were upright; of 121 unused cards 1, 18 and 102.
MISTAKEN = math.log(0.01)  # log chance that an unused card seems to have been turned
COVERED = math.log(0.15)  # log chance that an unused card is hidden under a turned one
UNSEEN = math.log(0.005)  # log chance that a bought card is never seen; counted: 1 of 232 purchases in simulated games
LATER_SECONDS = 4.0  # a used card is turned this soon after its dice changed, if at all


@dataclass(frozen=True, slots=True)
class CardMarks:
    """The observed positions of the cards.

    Attributes:
        seat: The player on turn.
        turned: Kinds of this player that were turned in this turn.
        upright: Kinds in view that were not.
        turn_rate: The chance that a used card is turned at this table.
        gone: Kinds that have not been seen since this turn began.
        owned_seen: (seat, kind) of cards seen among a player's cards in this game.
    """

    seat: str
    turned: frozenset[str]
    upright: frozenset[str]
    turn_rate: float
    gone: frozenset[str] = frozenset()
    owned_seen: frozenset[tuple[str, str]] = frozenset()

    def log_chance(self, used: AbstractSet[str], late: AbstractSet[str]) -> float:
        """Log chance of the marks if these cards were used. late: those of them that were still upright after
        LATER_SECONDS."""
        seen = math.log(self.turn_rate) * len((self.turned | self.gone) & used)
        seen += MISTAKEN * len(self.turned - used) + COVERED * len(self.gone - used)
        return seen + math.log(1.0 - self.turn_rate) * len((late & used) - self.turned - self.gone)

    def unseen(self, bought: Iterable[tuple[str, str]]) -> int:
        """The number of these cards, (seat, kind), that were never seen among their player's other cards."""
        looked_at = {seat for seat, _ in self.owned_seen}
        return sum(one[0] in looked_at and one not in self.owned_seen for one in bought)


def marked(h: Hypothesis, marks: CardMarks, seconds: float) -> Hypothesis:
    """The hypothesis weighed by the marks at this time."""
    used = {act.card for act in h.acts if act.verb == "use" and act.seat == marks.seat}
    began = {card: dict(h.uses).get(card, seconds) for card in used}
    late = h.upright | {card for card in used & marks.upright if seconds - began[card] >= LATER_SECONDS}
    bought = [(act.seat, act.card) for act in h.acts if act.verb == "buy"]
    bought += [(one.event[0], one.event.split()[2]) for one in h.bought]
    cost = marks.log_chance(used, late) + UNSEEN * marks.unseen(bought)
    return h.replace(log_prior=h.log_prior + cost - h.marked, marked=cost, upright=late, uses=tuple(began.items()))


def due(h: Hypothesis, marks: CardMarks, seconds: float) -> float:
    """Seconds when the next of its used cards that are not turned will be late; infinity if there is none."""
    times = (at + LATER_SECONDS for card, at in h.uses if card not in marks.turned | marks.gone)
    return min((time for time in times if time > seconds), default=math.inf)


def forgotten(h: Hypothesis) -> Hypothesis:
    """The hypothesis with the evidence of its cards so far made final."""
    return h.replace(marked=0.0, upright=frozenset(), uses=()) if h.uses or h.marked else h
