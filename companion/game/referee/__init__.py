"""The referee as one belief about the running turn, filtered from what vision sees.

`observation` turns readings into evidence, `model` is the hidden state, `association` and `successors` say what may
have happened between two scenes, with the `Habits` of each game (`krone`, `knatsch`), `beam` keeps the likeliest ones;
`questions` asks where they differ, `purchases` tries what nobody has entered, `publish` compares them with the record,
and `referee` speaks to the table. Knatsch knows no other referee; for Um Krone und Kragen it stands beside
`companion.referee` until it passes what that one passes, and the environment variable COURTSIDE_REFEREE=belief chooses
it. A card's evidence would be one more term of `Hypothesis.evidence`.
"""
