"""The referee as one belief about the running turn, filtered from what vision sees.

`observation` turns readings into evidence, `model` is the hidden state, `association` and `krone` say what may have
happened between two scenes, `beam` keeps the likeliest histories, `publish` and `referee` speak to the table. It stands
beside `companion.referee` until it passes what that one passes; the environment variable COURTSIDE_REFEREE=belief
chooses it for Um Krone und Kragen.
"""
