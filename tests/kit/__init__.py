"""A simulated dice table: physics for rolls, a camera, and the truth of every frame.

`dice` is how a die looks, `roll_physics` how it rolls, `table` and `clutter` what is around it, `stage` the MuJoCo
model that is rendered, `camera` the lens and `photograph` the sensor; `script` is what players do, `setting` their
table, `hands` and `film` how it is performed. `tests/kit/simulated_table.py` is the entry point. Lengths are
millimetres, the table is z = 0, time is seconds. Everything depends on a seed only.
"""

import os

os.environ.setdefault("MUJOCO_GL", "osmesa")  # must be set before any module imports MuJoCo
