"""Knatsch, in English Knights (Michael Schacht, Abacus 2000). `game` is the interface to records.

A record has one event per line, after the letter (A–F) of the player who does it:

    A deal castle-red             setup: A drew the red castle; once for every seat in order
    A reveal left dice-4 4-4-4+1  this card is on top now. Its combination may be omitted if the deck has it or it is
                                  unknown; a tournament card has none
    A combination left 4-4-4+1    a card's combination becomes known: left, right, B castle-red, king
    A under left                  the top card was put under its stack
    A guard castle-red castle-blue  the Castle Guard protects one or two castles now; `A guard dice-4`: the Special
                                  Guard protects a special card. Allowed at any time in one's turn except between the
                                  throws of an attempt (K21), and just after it, until the next player acts
    A target left                 the card to be captured: left, right, B castle-red, or king
    A roll 6 6 5 5 3 2            all dice rolled: six at first, later all that are neither sixes nor kept
    A keep 5 5                    all dice that stay beside the sixes, including those kept before; `keep none`
    A stop                        no more throws. After the last throw, or with six sixes, the attempt ends by itself
    B roll …                      the owner defends the castle; in a tournament each other player in turn
    B pass                        the owner does not defend, or a player skips the tournament: the lowest result (K22)
    A lose castle-red left        the King's revenge: this castle goes under that stack (K20)
    A pass                        no (further) attempt

The result of an attempt follows from its throws and is not an event: the card changes hands or goes under its stack,
and the turn passes.

Where the rules are silent: the King may be challenged after a card was put under a stack, as long as nothing has been
attempted in the turn. While no card on the table can be captured but one below may be, cards may be put under more than
once, or the turn may be passed (K19). Betrayal counts for every castle on a stack, even an easier one. A keep that
leaves no die to roll is refused: that is a stop.
"""
