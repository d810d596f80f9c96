"""Yatzy, the scoresheet game with five dice and three rolls, for one to six players.

A record has one event per line, after the letter (A–F) of the player who does it:

    A roll 6 5 5 2 1      all five dice at first, later those that were not kept
    A keep 5 5            all dice that stay, including those kept before; `keep none`
    A score full-house    the box that the dice score in; the turn ends

`boxes` has the two rulesets and the scores, `rules` what is allowed, `advice` the best choice for a player who wants as
many points as possible.

Where the rules are silent: a tie is won by the player in the first seat. A box may be chosen after any roll, even if
the dice to keep were already chosen.
"""
