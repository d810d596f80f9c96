"""Um Krone und Kragen (To Court the King; Tom Lehmann, Amigo 2006), played and checked, for two to five players.

The rules and the rulings R1–R20 are those of the rule texts of four editions; the modules name them where they
apply and the tests are named after them. Where those leave something open we decide as players at a table would:

- O1, more start-of-turn dice than the box holds: one takes as many as there are.
- O2, an unread die (`?`) may be set aside and thrown again, but no card turns it: nobody knows what it shows. It
  counts for nothing that is not certain: no cost, no copy for the Astronomer, no larger group in the final round.
- O3, a throw after all dice are set aside begins the next turn, also when the same player has two turns in a row. A
  card used then still belongs to the running turn (R5).
- O4, before the first roll only cards that add a die can be used (R1): there is nothing yet to change or set aside.
- O5, the final round knows no open purchase: every turn there ends with `pass`, and only then the next one may begin.
- O6, passing before any roll in the final round is allowed even if a die was added already.
- O7, a purchase known late is inserted in the record where it belongs, before the event that began the next turn. A
  `buy` anywhere else is refused.
- O8, the Alchemist's three dice may come out with one showing the same as before, as long as the dice as a whole
  change.
- O9, the Queen's owner has no turn in the final round unless the King was taken from her (R17), and once he was she
  wins by an equal group as well as by a better one.

`game` is how the package plugs into records, `state` what a position is, `rules` what is allowed and what it does.
"""
