"""Yatzy, the scoresheet game with five dice and three rolls, played and checked, for one to six players.

A record has one event a line, behind the letter (A–F) of whoever does it:

    A roll 6 5 5 2 1      all five dice at first, later those that were not kept
    A keep 5 5            all dice that stay, also those kept before; `keep none`
    A score full-house    the box the dice were written into; the turn ends

`boxes` has the two rulesets and what dice score, `rules` what is allowed, `advice` the best choice for one player who
wants as many points as possible.

Where the rules are silent: a tie is won by the player who sits first. A box may be chosen after any roll, also when the
dice to keep were already chosen.
"""
