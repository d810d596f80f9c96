"""Every number the belief needs beside what vision reports: one table, all natural logarithms of chances unless said.

Counts are of `python -m scripts.fit_priors` on 180 simulated turns (seed 20101), 60 hurried ones (20102) and 80 hurried
attempts (20103), older ones on 120 and 90 (83101, 83102); of thrown dice on 850 more (20201, 61001, 61003, hurried
61002); of hidden dice and of such as tip over on 300 hurried ones (94001, 94002). What people do more often than
simulated players is guessed.
Units: log chance (nats); lengths in die widths; times in seconds. "counted" names where a value was counted, "guessed"
that it was not: for those only the order and rough size matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Priors:
    """Log chances of what people and cameras do."""

    # What a die shows
    floor: float = -7.8  # a face the votes rule out: 0.2 % of dice misread, a fifth for each face; counted: hurried
    confident: float = 0.9  # chance from which on a vote is confident …
    mistaken: float = -3.0  # … and wrong all the same, beyond the chance it gives itself; guessed
    doubted: float = 0.1  # share: a reading less sure than that counts so much beside one that is as sure; guessed

    # Was a die thrown?
    lay: float = -6.3  # one that lay there before was thrown to where it lies; counted: 3 of 2,886, not thrown half
    lay_nearly: float = -2.4  # … about where it lay, out of sight or seen by nobody to roll; counted: 54 of 2,345
    with_throw: float = 2.3  # log odds: it came as others rolled; counted: 36 of 54 nobody saw roll, 0 of 24 put down
    together: float = 0.25  # share: what vision says wrongly counts once, and so much for each further die; guessed
    seemed_thrown: float = -1.5  # vision took for a throw what was none; guessed: a die that comes to light
    unnoticed: float = -2.5  # … or noticed none, or saw none of its dice roll; counted: hurried 20 of 254

    # What hands do
    aside_again: float = -3.0  # a die set aside is put elsewhere; never counted in simulated turns, people do
    taken_back: float = -2.0  # a die set aside comes back into play before the next throw
    put_back: float = -5.5  # a die in play was put elsewhere in play; counted: 0 of 77,456, hurried 5 of 22,322
    hidden: float = -4.5  # a die that must be there is not seen; counted: hurried 296 of 43,269
    under_hand: float = -2.5  # … while a hand is in the picture; guessed
    lingers: float = -3.0  # a die where nobody has looked since has gone from there; guessed
    long_hidden: float = -0.9  # … that a hand hides of which vision is no longer sure; counted: hurried 964 of 2,175
    ghost: float = -7.0  # what was seen as a die is none, or not of the game; counted: 0 of 2,650, hurried 24 of 2,285
    idle_moved: float = -1.0  # one that is not played, such as of the last turn, is put elsewhere; guessed
    not_lifted: float = -2.7  # a die was turned that was never out of sight; counted: 0 of 126, hurried 12 of 46
    turned_up: float = -1.6  # a turned die lies elsewhere than it lay; counted: hurried 3 of 49, people oftener

    # Where no row for dice set aside is known
    aside_unmoved: float = -3.5  # a die nobody touched counts as set aside
    aside_alone: float = -4.0  # one set aside lies for itself, while the others lie together; counted: 0 of 1,294
    rolled_there: float = -2.0  # a single die rolled to where those set aside lie

    # Not this game: a roll for fun, the wrong number of dice, somebody else's game
    suspended: float = -7.9  # what rests there is none of the game; guessed
    still_suspended: float = -3.4  # … and the same goes for the next scene; guessed
    still_handled: float = -0.3  # … or, between two turns, with one in which hands alone have moved dice; guessed
    other_number: float = 2.4  # … more likely where, between two turns, other dice than are due rest there; guessed
    fewer: float = 1.5  # … and more likely still where they are fewer: one fell on the floor; guessed
    resumed: float = -0.5  # the game goes on with this scene; guessed
    stranger: float = -3.0  # … beside a die of that other game; guessed
    laid_out: float = -2.0  # … with its dice laid out again elsewhere; guessed

    # What players do
    card: float = -2.0  # this card was used; counted: one of those owned after 28 % of throws
    second_card: float = -3.0  # … and another one before anybody looked; counted: another after 34 %, mostly seen
    early: float = -4.8  # … before the first throw; counted: 6 of 700 that add a die
    dearer: float = -0.02  # of cards that do the same the cheaper one: times its place in the rules' table
    needless: float = -6.0  # a card threw what a normal roll could have; counted: 0 of 923
    given_up: float = -4.0  # Knatsch: a beaten card is thrown for again, or one not beaten given up; counted: 6 of 348
    none_kept: float = -2.5  # Knatsch: all dice are thrown again; simulated players: 0 of 3,135, people do
    seen_late: float = -3.5  # a die was set aside again before its throw was seen
    again: float = -7.0  # the last throw did not count, and this one does; counted: 0 of 1,360
    again_unclear: float = -2.0  # … where a die of it fell from the table, or leaned; guessed
    not_cleared: float = -3.0  # the next player threw though the table was never seen empty
    after_clearing: float = -6.0  # the same player threw on though it was
    not_set_aside: float = -1.0  # the last dice of a turn were never moved
    bought: float = -4.5  # a purchase that nobody has entered; guessed
    skipped: float = -4.0  # a player of the final round passed without throwing


PRIORS: Final = Priors()


def together(costs: Sequence[float]) -> float:
    """Log chance of several such things, each of this log chance, for one cause."""
    return min(costs, default=0.0) * (1.0 - PRIORS.together) + PRIORS.together * sum(costs)
