"""Playing cards: taught by a picture each, found on a table, and recognised there.

`teaching` finds the card in a picture of one card and keeps its face; `card_set` is the set of taught kinds and its
file. `reading` finds and recognises all cards of a picture: `patches` proposes places by colour, `outlines` by edges
and `matching` by local features; `agreement` says how well the picture agrees with a taught face there, and
`candidates` which of the places are accepted.
"""
