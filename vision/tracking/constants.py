"""Every number of the tracking: value, unit and source.

Sources: "counted" from a distribution that is named; "physics" of cameras, hands or dice; "tried" on films other than
those whose figures are reported; "speed"; "guessed" where only the rough size matters. Unless a comment says otherwise,
lengths are in die widths, times in seconds of film, and log odds in nats. A pass is one run of the detector on a frame.
"""

from __future__ import annotations

from typing import Final

# How often the detector runs
PASS_SECONDS: Final = 0.029  # between passes: frames of a resting die err alike (physics: 32 a second)
MOVING_SECONDS: Final = 0.06  # between passes while something moves: blurred dice teach little (tried)
AGAIN_SECONDS: Final = 1.0  # between passes over what does not change, the mat included (guessed)
SURE_CHANGE: Final = 0.85  # chance from which one fast pass overrules what was known (tried)
LEAST_PIECE: Final = 320  # pixels of a region to search: a die needs its surroundings (tried)

# What has changed in the small picture
WIDTH: Final = 160  # pixels across, also of the grid of covered places
LAG_SECONDS: Final = 0.095  # motion is the change since then, so that slow hands show too (physics: 3 frames of 30)
LEAST_CHANGE: Final = 9.0  # grey levels of noise and compression (tried)
OTHER_COLOUR: Final = 14  # half levels of colour difference that white balance explains (tried)
SHAKE: Final = 0.4  # small pixels of jitter that are forgiven at edges (tried)
PATTERN: Final = (7, 7)  # small pixels in which fine patterns are compared (tried)
SAME_PATTERN: Final = 0.7  # correlation of the same pattern; in shadows 0.85 and more (counted in two frames)
HAND_SHARE: Final = 0.02  # share of the frame: a hand is larger (physics)
HAND_DICE: Final = 5.0  # dice: a hand is larger, a die smaller (physics)
LEAVING_DICE: Final = 1.2  # dice: smallest part of a hand that leaves over the frame's edge (tried)
RESTLESS_SECONDS: Final = 0.8  # a hand moves within this time; what does not is a thing (physics)
FORGET_LEVELS: Final = 3.0  # grey levels a second by which the empty table follows what moves (guessed)
ABSORB_LEVELS: Final = 30.0  # the same for what rests: a card soon belongs to the table (guessed)
MOSTLY: Final = 0.5  # more than half: of a place, a frame, a difference or a chance
UNKNOWN_DIE: Final = 5  # small pixels assumed as a die's width while none is known (guessed)

# A knocked camera
STRUCTURED: Final = 0.08  # share of structure from which a cell counts
TOUCHED_PART: Final = 0.15  # share of its structure that changes in a touched cell (tried)
LEAST_PARTS: Final = 3  # of twelve parts of the frame with structure, needed to notice a knock (guessed)
LONGEST_BUMP: Final = 0.6  # a knock is over by then; registration is tried twice as long (guessed)
CALM_SECONDS: Final = 0.2  # without motion before a frame becomes the reference; between registrations (guessed)
MATCHED_WIDTH: Final = 640  # pixels across in which features are found (tried)
MATCHED_PIXELS: Final = 2.0  # distance up to which features agree (tried)
LEAST_MATCHES: Final = 16  # features that must agree (tried)
FARTHEST: Final = 0.3  # share of the width a corner moves by in a knock (guessed)

# A turned picture
STRUCTURE: Final = 2 * LEAST_CHANGE  # grey levels between neighbours of structure to be recognised (tried)
LEAST_STRUCTURE: Final = 40  # small pixels of structure that must have moved: half a usual die (tried)
TURNED_SECONDS: Final = 20.0  # the message is shown this long (guessed)

# Is the frame fit for reading
DARK_LEVEL: Final = 12  # grey levels: darker is black
BLACK_SHARE: Final = 0.99  # share of black from which the camera is covered (tried)
BURNT_LEVEL: Final = 250  # grey levels: brighter is overexposed
BRIGHT_SHARE: Final = 0.995  # share of it from which nothing is visible: small dice on white paper leave less (physics)
WHITE_TABLE: Final = 0.95  # share of white while dice were visible, from which all white is an empty table (tried)
FROZEN_SECONDS: Final = 1.2  # without noise: no two frames of a live camera are equal (physics)
SMALLEST_DIE: Final = 20.0  # pixels; in smaller dice pips merge (physics)

# Templates
ALIKE_FROM: Final = 0.85  # correlation; counted: gone or covered dice have at most 0.78 in 99 % of 3,366 frames
SURELY_ALIKE: Final = 0.98  # correlation from which blurred versions are not tried (speed)
CONTRAST: Final = 1.5  # ratio of relative contrast (counted: 0.84 to 1.55 in 90 % of 217)
BLURS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)  # blurs of a template; at the last one pips are gone (physics)
OUT_OF_FOCUS: Final = 0.1  # blur from which a die cannot be read (physics: half a pip)

# Data association
SAME_PLACE: Final = 0.5  # nearer is the same place: no two dice are that close (physics)
DUPLICATE: Final = 0.45  # nearer detections of one pass are one die (tried)
CROWDED: Final = 0.6  # no other die is nearer to a visible one (physics: dice lean on each other)
REACH: Final = 1.6  # farther is another die (tried)
OVERLAP: Final = 0.8  # share of two dice's boxes covered by a detection that is both at once (tried)
LIKE: Final = 1.7  # ratio of sizes on one table (tried)
REMEMBERED_SECONDS: Final = 120.0  # a die out of sight is remembered in its place this long (guessed)
TRAIL: Final = 16  # passes remembered: a quarter of a second of a camera at 60 a second (physics)

# Existence, log odds
UNSEEN: Final = -5.0  # before the first pass: three sure fast passes or one refined pass confirm a die (tried)
FOUND: Final = 2.0  # of a fast pass that finds it, or of something new; a believed die is lost at -FOUND (tried)
SUREST: Final = 6.0  # largest value; its opposite gives up a die that was never believed (guessed)
SEEN_BEFORE: Final = (1.0, 0.5)  # passes that found and that missed it, assumed at first (prior)
MOST_MISSED: Final = 3.0  # largest effect of a pass that misses it, doubled for a refined one (tried)

# Does it rest
STEADY: Final = 0.12  # jitter of a box from pass to pass (counted: none of 85,000 resting dice had more)
STEADY_SINGLE: Final = 0.2  # the same for a single die, where camera jitter is unknown (tried)
DRIFT: Final = 0.15  # distance from where it was DRIFT_SECONDS ago, without a hand near (tried)
DRIFT_SECONDS: Final = (0.06, 0.21)
ROLL_SPEED: Final = 3.0  # widths a second: faster is rolling or carried (tried)
RESTING_PASSES: Final = 2  # fast-camera passes before a die rests; a slow camera's pass is worth no more (tried)
REST_SECONDS: Final = 0.12  # without motion: tipping over takes less (physics)
CONFIRMING_PASSES: Final = 3  # passes that prove a change, and refined passes while a die stays in doubt (tried)
TOUCHED_REST: Final = 2  # times as long beside a hand, which may cover a part (guessed)
PART: Final = 0.4  # share of the middle's motion by which a corner of a partly covered die stays behind (tried)

# What it shows
VOTES: Final = 10  # last passes that vote; half of them may correct a settled face (tried)
INDEPENDENT: Final = 2.0  # independent votes they count as at most: frames of a resting die err alike (tried)
REFINED_SHARE: Final = 0.75  # share of the vote of refined passes while the die is unchanged (tried)
LEAST_CHANCE: Final = 1e-3  # one pass never rules a face out (guessed)
MOTION_WEIGHT: Final = 0.25  # weight of a pass while something moves at the die (guessed)
UNTURNED: Final = 0.9  # chance that a die back in its place shows its old face (guessed)
SURE: Final = 0.65  # chance below which a face is waited for, then doubted (tried)
PATIENCE_SECONDS: Final = 0.6  # of that wait, and before missing dice count as taken away

# When the table is settled
SMALLEST_FLYING: Final = 0.25  # dice: what is smaller is no die, in flight or new on the table (physics)
FLIGHT_SECONDS: Final = 0.3  # no die flies longer (physics)
HUNTING_SECONDS: Final = 1.5  # the same where no hand was seen: the camera hunts for focus or shakes (physics)
COVERED_SECONDS: Final = 2.0  # half-life of the belief in a covered die (guessed)

# What hands have done
HAND_SECONDS: Final = 0.26  # a place that a hand left this recently counts as covered (physics: 2 frames of 8, 3 of 12)
HANDLED_SECONDS: Final = 1.5  # a hand may have put a die down this long before it is seen for certain (tried)
RESTING_SECONDS: Final = 2.5  # a hand that stays this long rests in the frame (guessed)
BLINK_SECONDS: Final = 0.3  # between two frames: in more a hand may come, turn a die and go (physics)

# How likely it rolled
ALIKE: Final = 0.4  # dice that all moved alike within this: the camera or the table moved (tried)
TURNED: Final = 8.0  # degrees by which a knock rotates the frame at most (guessed)
GROWN: Final = 0.1  # natural logarithm by which it grows or shrinks the frame at most (guessed)
# Chance that a die rolled rather than was placed, both being equally common, by the number of passes that saw it
# rolling. Counted in simulated turns at 12 to 15 passes a second: a quarter of the rolled dice was seen rolling in no
# pass, and none of 350 dice laid down by hand in one.
ROLLED: Final = (0.05, 0.92, 0.97, 0.985, 0.99)
ROLLED_UNSEEN: Final = 0.9  # the same where no pass did, but no hand was near (tried)
