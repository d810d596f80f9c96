"""Recognises playing cards on a table from one or a few reference images per card design.

In this package a *face* is one reference image of a card, and a *kind* is a card design, which may have several faces.

`teaching` finds the card in a reference photo and cuts out its face; `card_set` stores all faces of an edition in one
file. `card_reader` finds and names the cards of an image: `patches` proposes places by colour, `outlines` by edges and
`matching` by local features. `agreement` scores each proposal against the face, and `candidates` selects the proposals
to accept. `watching` applies this to a video and reads only what has changed.
"""
