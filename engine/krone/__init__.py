"""Um Krone und Kragen (To Court the King; Tom Lehmann, Amigo 2006) for two to five players.

The rules and the rulings R1–R20 are those of the rule texts of four editions. Modules name them where they apply, and
tests are named after them. Where the texts leave something open, these decisions apply:

- O1, more start-of-turn dice than the box holds: the player takes as many as there are.
- O2, an unread die (`?`) may be set aside and rolled again, but no card turns it, because its face is unknown. It never
counts for something that must be certain: a cost, a copy for the Astronomer, a larger group in the final round.
- O3, a roll after all dice are set aside starts the next turn, even if the same player has two turns in a row. A card
used then still belongs to the current turn (R5).
- O4, before the first roll only cards that add a die can be used (R1): there is nothing yet to change or set aside.
- O5, the final round has no open purchases: every turn there ends with `pass`, and only then can the next one start.
- O6, passing before any roll in the final round is allowed, even after adding a die.
- O7, a purchase that becomes known late is inserted where it belongs, before the event that started the next turn. A
`buy` anywhere else is refused.
- O8, one of the Alchemist's three dice may keep its face, as long as the dice as a whole change.
- O9, the Queen's owner has no turn in the final round unless the King was taken from them (R17). If it was, an equal
group is enough to win it back.

`game` is the interface to records, `state` the state, `rules` what is allowed and what it does.
"""
