"""The referee's priors, in one table. All are natural logarithms of chances unless a comment says otherwise.

Lengths are in die widths, times in seconds. Each comment ends with the source of its value: counted, or "guessed",
where only order and rough size matter. `python -m scripts.fit_priors` counts from kept readings: 180 simulated turns
(seed 20101), 60 hurried ones (20102), 80 hurried attempts at cards (20103), 120 and 90 older turns (83101, 83102); for
rolled dice 850 more (20201, 61001, 61003, hurried 61002); for hidden dice and dice that tip over 300 hurried ones
(94001, 94002); for dice that arrive together 200 (520801, half hurried). In "hurried" turns players do not wait,
and the camera loses frames. Actions that people do more often than simulated players are guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Priors:
    """Log chances of actions of people and errors of cameras."""

    # What a die shows
    floor: float = -7.8  # a face that the readings rule out; 0.2 % of dice are misread; counted: hurried
    confident: float = 0.9  # chance (no log) from which a reading is confident
    mistaken: float = -3.0  # a confident reading is wrong, beyond the chance it gives itself; guessed
    doubted: float = 0.1  # weight of a reading that is not confident beside one that is; guessed

    # Was a die rolled?
    # A rolled die comes to rest where it or another die was; counted: 3 of 2,886.
    rolled_in_place: float = -6.3
    # It comes to rest within half a width of such a place and was not seen rolling; counted: 54 of 2,345.
    rolled_nearby: float = -2.4
    # Log odds for a die that arrives together with a rolled one, beyond what was seen of itself; counted: of such dice
    # that no pass saw rolling, 55 were rolled and 6 put down.
    with_throw: float = 4.6
    together: float = 0.25  # share that each further die adds to one mistake of vision; guessed
    seemed_thrown: float = -1.5  # vision took something else for a roll; guessed
    unnoticed: float = -2.5  # vision missed a roll, or saw none of its dice roll; counted: hurried 20 of 254

    # What hands do
    aside_again: float = -3.0  # a die set aside is moved again; guessed, simulated players never do
    taken_back: float = -2.0  # a die set aside is taken back into play before the next roll; guessed
    put_back: float = -5.5  # a hand moves a die within play; counted: 0 of 77,456, hurried 5 of 22,322
    hidden: float = -4.5  # a die that must be there is not seen; counted: hurried 296 of 43,269
    under_hand: float = -2.5  # the same while a hand is in the picture; guessed
    lingers: float = -3.0  # a die has left a place that was not visible since; guessed
    long_hidden: float = -0.9  # the same where vision is unsure of it under the hand; counted: hurried 964 of 2,175
    ghost: float = -7.0  # a detection is no die of the game; counted: 0 of 2,650, hurried 24 of 2,285
    idle_moved: float = -1.0  # a die that is not played, such as one of the last turn, is moved; guessed
    not_lifted: float = -2.7  # a die was turned without ever being out of sight; counted: 0 of 126, hurried 12 of 46
    turned_up: float = -1.6  # a turned die is put down elsewhere; counted: hurried 3 of 49, people do it more often

    # Where there is no kept zone
    aside_unmoved: float = -3.5  # a die that was not moved counts as set aside; guessed
    aside_alone: float = -4.0  # a die set aside rests apart from the others; counted: 0 of 1,294
    rolled_there: float = -2.0  # a single die rolls to the dice set aside; guessed

    # Not this game: a roll for fun, the wrong number of dice, another game
    suspended: float = -7.9  # what rests on the table is not this game; guessed
    still_suspended: float = -3.4  # the next snapshot is not this game either; guessed
    still_handled: float = -0.3  # the same between two turns where only hands have moved dice; guessed
    # Log odds for another game between two turns if the number of dice is not the one due; guessed.
    other_number: float = 2.4
    fewer: float = 1.5  # more of them if the dice are fewer, as one fell on the floor; guessed
    resumed: float = -0.5  # the game goes on with this snapshot; guessed
    stranger: float = -3.0  # the same beside a die of the other game; guessed
    laid_out: float = -2.0  # the same with its dice laid out again elsewhere; guessed

    # What players do
    card: float = -2.0  # a certain card is used; counted: one of those owned after 28 % of rolls
    second_card: float = -3.0  # another card is used before the next snapshot; counted: another after 34 %, mostly seen
    early: float = -4.8  # a card is used before the first roll; counted: 6 of 700 that add a die
    dearer: float = -0.02  # per rank in the rules: the cheaper of two cards with the same effect is likelier; guessed
    needless: float = -6.0  # a card rolls what a normal roll would have rolled; counted: 0 of 923
    given_up: float = -4.0  # a player rolls on after winning a card, or gives up without; counted: 6 of 348
    none_kept: float = -2.5  # all dice are rolled again; guessed, simulated players: 0 of 3,135
    seen_late: float = -3.5  # a die was set aside before its roll was seen; guessed
    again: float = -7.0  # the last roll did not count and is repeated; counted: 0 of 1,360
    again_unclear: float = -2.0  # the same where one of its dice fell from the table or leaned; guessed
    not_cleared: float = -3.0  # the next player rolls though the table was never seen empty; guessed
    after_clearing: float = -6.0  # the same player rolls on though it was; guessed
    not_set_aside: float = -1.0  # the last dice of a turn are not moved; guessed
    bought: float = -4.5  # a purchase was not entered; guessed
    skipped: float = -4.0  # a player of the final round passes without rolling; guessed


PRIORS: Final = Priors()


def together(costs: Sequence[float]) -> float:
    """Log chance of several such events with one common cause."""
    return min(costs, default=0.0) * (1.0 - PRIORS.together) + PRIORS.together * sum(costs)
