"""What cards that lie across or upright say about what was done with the dice.

Who uses a card turns it by a quarter and turns it back after the turn (`companion/game/used_cards.py` sees it). The
card may be turned before its dice are, or a moment later, or never: a table's habit is learnt as it plays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.game.referee.model import Hypothesis

# Counted in a film of 37 turns with tableaux of up to thirteen overlapping cards: of 120 cards used 71 were seen to be
# turned, 47 seen no more, under the one beside them, 2 upright; of 121 that were not used 1, 18 and 102.
MISTAKEN = math.log(0.01)  # log chance: a card that was not used seems to have been turned
COVERED = math.log(0.15)  # … or is seen no more, under another that was
UNSEEN = math.log(0.005)  # a card was bought and never seen before its player: one of 232 purchases in simulated games
LATER_SECONDS = 4.0  # so long after its dice were seen to have changed a card that was used is turned, if it ever is


@dataclass(frozen=True, slots=True)
class CardMarks:
    """What is seen of the cards of the seat on turn, and of the tableaux.

    turned: kinds that have been turned in this turn; upright: kinds in view that have not; habit: chance that a card
    that is used here is turned; gone: kinds that are seen no more since this turn began; lain: (seat, kind) of what
    has been seen to lie in a tableau in this game.
    """

    seat: str
    turned: frozenset[str]
    upright: frozenset[str]
    turn_rate: float
    gone: frozenset[str] = frozenset()
    lain: frozenset[tuple[str, str]] = frozenset()

    def log_chance(self, used: AbstractSet[str], late: AbstractSet[str]) -> float:
        """Log chance of the marks, if these cards have been used; late: those of them that were upright still when
        LATER_SECONDS had passed."""
        seen = math.log(self.turn_rate) * len((self.turned | self.gone) & used)
        seen += MISTAKEN * len(self.turned - used) + COVERED * len(self.gone - used)
        return seen + math.log(1.0 - self.turn_rate) * len((late & used) - self.turned - self.gone)

    def unseen(self, bought: Iterable[tuple[str, str]]) -> int:
        """How many of these cards, (seat, kind), were never seen where others of their player were."""
        looked_at = {seat for seat, _ in self.lain}
        return sum(one[0] in looked_at and one not in self.lain for one in bought)


def marked(h: Hypothesis, marks: CardMarks, seconds: float) -> Hypothesis:
    """The hypothesis as likely as the marks make it, at this time."""
    used = {act.card for act in h.acts if act.verb == "use" and act.seat == marks.seat}
    began = {card: dict(h.uses).get(card, seconds) for card in used}
    late = h.upright | {card for card in used & marks.upright if seconds - began[card] >= LATER_SECONDS}
    bought = [(act.seat, act.card) for act in h.acts if act.verb == "buy"]
    bought += [(one.event[0], one.event.split()[2]) for one in h.bought]
    cost = marks.log_chance(used, late) + UNSEEN * marks.unseen(bought)
    return h.replace(log_prior=h.log_prior + cost - h.marked, marked=cost, upright=late, uses=tuple(began.items()))


def due(h: Hypothesis, marks: CardMarks, seconds: float) -> float:
    """When the next of its cards that have not been turned will be late, in seconds; infinite where none will."""
    times = (at + LATER_SECONDS for card, at in h.uses if card not in marks.turned | marks.gone)
    return min((time for time in times if time > seconds), default=math.inf)


def forgotten(h: Hypothesis) -> Hypothesis:
    """The hypothesis as likely as it is, whatever the next player's cards will say."""
    return h.replace(marked=0.0, upright=frozenset(), uses=()) if h.uses or h.marked else h
