"""A dice table in software: thrown with physics, seen through a camera, with the truth of every frame.

`dice` how a die looks, `throwing` how it flies, `table` and `clutter` what it lies on and among, `stage` the MuJoCo
model that is drawn, `camera` the lens and `photograph` the sensor; `script` what the players do, `setting` the table
they sit at, `hands` and `film` how it is performed. `tests/kit/simulated_table.py` is the way in.
Lengths are millimetres, the table is z = 0, time is seconds. Everything is drawn from a seed: same seed, same truth.
"""

import os

os.environ.setdefault("MUJOCO_GL", "osmesa")  # must be known before MuJoCo is first imported, by whichever module
