"""The referee's priors: natural logarithms of chances, unless a comment says otherwise.

What matters is which of two explanations is the more usual, and roughly by how much. So most priors are one of five
levels; on simulated turns they do as well as 37 separate values did (`docs/benchmarks.md`). Where a comment says
"counted", the level follows the count, or is higher because people do such things more often than simulated players.
The other levels are guessed.

Lengths are in die widths. `python -m scripts.fit_priors` counts from kept readings: 180 simulated turns (seed 20101),
60 hurried ones (20102), 80 hurried attempts at cards (20103), 120 and 90 older turns (83101, 83102); for rolled dice
850 more (20201, 61001, 61003, hurried 61002); for hidden dice and dice that tip over 300 hurried ones (94001, 94002);
for dice that arrive together 200 (520801, half hurried). In "hurried" turns players do not wait, and the camera loses
frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

COMMON: Final = -1.0  # one in 3
OCCASIONAL: Final = -2.0  # one in 7
UNCOMMON: Final = -2.8  # one in 16
RARE: Final = -4.2  # one in 70
VERY_RARE: Final = -6.7  # one in 800


@dataclass(frozen=True, slots=True)
class Priors:
    """Log chances of actions of people and errors of cameras."""

    # What a die shows
    floor: float = -7.8  # a face that the readings rule out; 0.2 % of dice are misread; counted: hurried
    confident: float = 0.9  # chance (no log) from which a reading is confident
    mistaken: float = UNCOMMON  # a confident reading is wrong, beyond the chance it gives itself
    doubted: float = 0.1  # weight of a reading that is not confident beside one that is; guessed

    # Was a die rolled?
    rolled_in_place: float = VERY_RARE  # a rolled die comes to rest where one was; counted: 3 of 2,886
    # It comes to rest within half a width of such a place and was not seen rolling; counted: 54 of 2,345.
    rolled_nearby: float = UNCOMMON
    # Log odds for a die that arrives together with a rolled one, beyond what was seen of itself; counted: of such dice
    # that no pass saw rolling, 55 were rolled and 6 put down.
    rolled_together: float = -RARE
    together: float = 0.25  # share that each further die adds to one mistake of vision; guessed
    false_roll: float = COMMON  # vision took something else for a roll
    unnoticed: float = OCCASIONAL  # vision missed a roll, or saw none of its dice roll; counted: hurried 20 of 254

    # What hands do
    aside_again: float = UNCOMMON  # a die set aside is moved again
    taken_back: float = OCCASIONAL  # a die set aside is taken back into play before the next roll
    put_back: float = RARE  # a hand moves a die within play; counted: 0 of 77,456, hurried 5 of 22,322
    hidden: float = RARE  # a die that must be there is not seen; counted: hurried 296 of 43,269
    under_hand: float = UNCOMMON  # the same while a hand is in the picture
    lingers: float = UNCOMMON  # a die has left a place that was not visible since
    long_hidden: float = COMMON  # the same where vision is unsure of it under the hand; counted: hurried 964 of 2,175
    ghost: float = VERY_RARE  # a detection is no die of the game; counted: 0 of 2,650, hurried 24 of 2,285
    idle_moved: float = COMMON  # a die that is not played, such as one of the last turn, is moved
    not_lifted: float = (
        UNCOMMON  # a die was turned without ever being out of sight; counted: 0 of 126, hurried 12 of 46
    )
    turned_up: float = COMMON  # a turned die is put down elsewhere; counted: hurried 3 of 49

    # Where there is no kept zone
    aside_unmoved: float = UNCOMMON  # a die that was not moved counts as set aside
    aside_alone: float = UNCOMMON  # a die set aside rests apart from the others; counted: 0 of 1,294
    rolled_there: float = OCCASIONAL  # a single die rolls to the dice set aside

    # Not this game: a roll for fun, the wrong number of dice, another game
    suspended: float = -7.9  # what rests on the table is not this game; guessed
    still_suspended: float = UNCOMMON  # the next snapshot is not this game either
    still_handled: float = -0.3  # the same between two turns where only hands have moved dice; guessed
    # Log odds for another game between two turns if the number of dice is not the one due; guessed.
    other_number: float = 2.4
    fewer: float = 1.5  # more of them if the dice are fewer, as one fell on the floor; guessed
    resumed: float = -0.5  # the game goes on with this snapshot; guessed
    stranger: float = VERY_RARE  # the same beside a die of the other game
    laid_out: float = OCCASIONAL  # the same with its dice laid out again elsewhere

    # What players do
    card: float = OCCASIONAL  # a certain card is used; counted: one of those owned after 28 % of rolls
    second_card: float = UNCOMMON  # another card is used before the next snapshot; counted: after 34 %, mostly seen
    early: float = RARE  # a card is used before the first roll; counted: 6 of 700 that add a die
    dearer: float = -0.02  # per rank in the rules: the cheaper of two cards with the same effect is likelier; guessed
    needless: float = VERY_RARE  # a card rolls what a normal roll would have rolled; counted: 0 of 923
    given_up: float = RARE  # a player rolls on after winning a card, or gives up without; counted: 6 of 348
    none_kept: float = OCCASIONAL  # all dice are rolled again; simulated players: 0 of 3,135
    seen_late: float = RARE  # a die was set aside before its roll was seen
    again: float = VERY_RARE  # the last roll did not count and is repeated; counted: 0 of 1,360
    again_unclear: float = OCCASIONAL  # the same where one of its dice fell from the table or leaned
    not_cleared: float = UNCOMMON  # the next player rolls though the table was never seen empty
    after_clearing: float = VERY_RARE  # the same player rolls on though it was
    not_set_aside: float = COMMON  # the last dice of a turn are not moved
    bought: float = RARE  # a purchase was not entered
    skipped: float = RARE  # a player of the final round passes without rolling


PRIORS: Final = Priors()


def together(costs: Sequence[float]) -> float:
    """Log chance of several such events with one common cause."""
    return min(costs, default=0.0) * (1.0 - PRIORS.together) + PRIORS.together * sum(costs)
