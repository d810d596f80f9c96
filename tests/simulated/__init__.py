"""A dice table in software: thrown with physics, seen through a camera, with the truth of every frame.

`dice` how a die looks, `throwing` how it flies, `table` what it lies on, `stage` the MuJoCo model that is drawn, `camera` the lens and
`photograph` the sensor; `script` what the players do, `film` frames and truth of a script, `detections` the same without pictures.
Lengths are millimetres, the table is z = 0, time is seconds. Everything is drawn from a seed: same seed, same truth.
"""
