"""What cards that lie across or upright say about what was done with the dice.

Who uses a card turns it by a quarter and turns it back after the turn (`companion/game/card_evidence.py` sees it). The
card may be turned before its dice are, or a moment later, or never: a table's habit is learnt as it plays.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.game.referee.model import Hypothesis

MISTAKEN = math.log(0.01)  # log chance: a card that was not used seems to have been turned; guessed
LATER_SECONDS = 2.5  # so long after its dice have come to rest a card that was used has been turned, if it is at all


@dataclass(frozen=True, slots=True)
class CardMarks:
    """What is seen of the cards of the seat on turn.

    turned: kinds that have been turned in this turn; upright: kinds in view that have not; habit: chance that a card
    that is used here is turned.
    """

    seat: str
    turned: frozenset[str]
    upright: frozenset[str]
    habit: float

    def log_chance(self, used: AbstractSet[str], late: AbstractSet[str]) -> float:
        """Log chance of the marks, if these cards have been used; late: those of them whose dice have lain for
        LATER_SECONDS while they were upright."""
        seen = math.log(self.habit) * len(self.turned & used) + MISTAKEN * len(self.turned - used)
        return seen + math.log(1.0 - self.habit) * len((late & used) - self.turned)


def marked(h: Hypothesis, marks: CardMarks, still: bool) -> Hypothesis:
    """The hypothesis as likely as the marks make it; still: the dice have lain as they do for LATER_SECONDS."""
    used = {act.card for act in h.acts if act.verb == "use" and act.seat == marks.seat}
    late = h.upright | (used & marks.upright) if still else h.upright
    cost = marks.log_chance(used, late)
    if cost == h.marked and late == h.upright:
        return h
    return h.but(prior=h.prior + cost - h.marked, marked=cost, upright=late)


def forgotten(h: Hypothesis) -> Hypothesis:
    """The hypothesis as likely as it is, whatever the next player's cards will say."""
    return h.but(marked=0.0, upright=frozenset()) if h.marked or h.upright else h
