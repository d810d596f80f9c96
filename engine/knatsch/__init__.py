"""Knatsch, in English Knights (Michael Schacht, Abacus 2000), played and checked. `game` plugs it into records.

A record has one event a line, behind the letter (A–F) of whoever does it:

    A deal castle-red             setup: A drew the red castle; once for every seat in order
    A reveal left dice-4 4-4-4+1  this card is on top now. What it shows may be left out where the deck knows it, or
                                  nobody does; a tournament card shows nothing
    A combination left 4-4-4+1    what a card shows that was not known: left, right, B castle-red, king
    A under left                  the top card was put under its stack
    A guard castle-red castle-blue  one or two castles lie with the Castle Guard now; `A guard dice-4`: a special card
                                  with the Special Guard. Any time in one's turn but between the throws of an attempt
                                  (K21), and just after it, until the next player acts
    A target left                 the card to be captured: left, right, B castle-red, or king
    A roll 6 6 5 5 3 2            all dice thrown: six at first, later all that are neither sixes nor kept
    A keep 5 5                    all dice that stay beside the sixes, also those kept before; `keep none`
    A stop                        no more throws. After the last throw, or with six sixes, the attempt is over by itself
    B roll …                      the owner defends her castle; in a tournament each other player in turn
    B pass                        she does not defend, or leaves the tournament to the others: the lowest result (K22)
    A lose castle-red left        the King's revenge: this castle goes under that stack (K20)
    A pass                        no (further) attempt

What an attempt comes to follows from the throws and is no event: the card changes hands or goes under its stack, the
turn passes.

Where the rules are silent: the King may be challenged after a card was put under a stack, as long as nothing has been
attempted in the turn. While nothing on the table can be captured but something below may be, cards may be put under
beyond the ordinary once, or the turn is passed (K19). Betrayal counts for every castle on a stack, even one that would
be easier. A keep that would leave no die to throw is refused: that is a stop.
"""
