"""The referee as one belief about the running turn, filtered from what vision sees.

`observation` turns readings into evidence, `model` is the hidden state, `association` and `krone` say what may have
happened between two scenes, `beam` keeps the likeliest histories; `questions` asks where they differ, `purchases` tries
what nobody has entered, `publish` compares them with the record, and `referee` speaks to the table. It stands beside
`companion.referee` until it passes what that one passes; the environment variable COURTSIDE_REFEREE=belief chooses it
for Um Krone und Kragen. A card's evidence would be one more term of `Hypothesis.evidence`.
"""
