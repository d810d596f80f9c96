"""Every number the tracking needs: value, unit, and where it comes from.

"counted": a distribution was counted, where is said; "physics": it follows from cameras, hands or dice; "tried": found
by trying on films, not those whose figures are reported; "guessed": only its rough size matters. Lengths are in die
widths where nothing else is said, times in seconds of film, looks are pictures that the detector has read, log odds are
in nats.
"""

from __future__ import annotations

from typing import Final

# How often the detector looks
LOOK_SECONDS: Final = 0.029  # no two looks nearer: pictures of a lying die err alike (physics: 32 a second)
MOVING_SECONDS: Final = 0.06  # … nor while something moves: blurred dice teach little (tried)
AGAIN_SECONDS: Final = 1.0  # what does not change is looked at again so often, the mat too (guessed)
SURE_NEWS: Final = 0.85  # chance of die and face from which a quick look is believed where a close one saw none (tried)
SURELY_THERE: Final = 0.95  # … and one at a die that a hand had hidden (tried)
LARGEST: Final = 0.4  # of the picture's shorter side: room for seven dice (physics)
LEAST_PIECE: Final = 320  # pixels: a die is told from a spot of paint by what lies around it (tried)
MOST_SEARCHED: Final = 0.8  # of the picture: pieces that cover more are not worth cutting (tried)

# What has changed in the small picture
WIDTH: Final = 160  # its pixels across, and the cells in which covered places are remembered
LAG_SECONDS: Final = 0.095  # motion is the change since then: slow hands show too (physics: 3 pictures of 30)
LEAST_CHANGE: Final = 9.0  # grey levels of noise and compression; below, a pixel's light is chance (tried)
OTHER_COLOUR: Final = 14  # … of half the difference of two colours: the light may change its own (tried)
PLAINLY: Final = 3.0  # times as much somewhere in a hand that waits: 5.4 and more in 95 % of 72 pictures (counted)
SHAKE: Final = 0.4  # small pixels the picture may tremble: an edge changes by so much of its height (tried)
PATTERN: Final = (7, 7)  # small pixels in which a table's fine pattern is compared (tried) …
SAME_PATTERN: Final = 0.7  # … correlation from which it is seen; in shadows 0.85 and more (counted in two pictures)
SAME_LIGHT: Final = 0.01  # two ways to tell how much lighter it is that agree: one is enough (speed)
HAND_SHARE: Final = 0.02  # of the picture: nothing smaller is taken for a hand (physics) …
HAND_DICE: Final = 5.0  # … nor anything smaller than so many dice; and nothing larger for a die (physics)
LEAVING_DICE: Final = 1.2  # … but so much of one that leaves over the picture's edge (tried)
RESTLESS_SECONDS: Final = 0.8  # a hand is never quite still; what has not stirred for so long is a thing (physics)
FORGET_LEVELS: Final = 3.0  # grey levels a second by which the empty table follows what stirs (guessed) …
ABSORB_LEVELS: Final = 30.0  # … and what lies still: a card put down soon belongs to the table (guessed)
MOSTLY: Final = 0.5  # the greater part, of a place or a picture, of what differs, or of all chance
GHOST: Final = 1.25  # times as much as now neighbours differed along most of the rim of what is no longer there (tried)
STILL_HELD: Final = 0.1  # share of what is around a die that lay in a hand: less, and the hand has left it (tried)
UNKNOWN_DIE: Final = 5  # small pixels taken for a die's width while none is known (guessed)

# Has the camera wandered
SURE_SHIFT: Final = (
    0.5  # height of the peak of phase correlation (1: the same picture) from which it tells how far (tried)
)
WANDERS: Final = 0.08  # of the picture's width; farther it has been put elsewhere (guessed)
CARRIED_PARTS: Final = 0.9  # of the picture's parts differ from the one before, where it is carried elsewhere (tried) …
CARRIED: Final = 0.025  # … by so much of its width from one look to the next: faster it is blurred, or a hand (tried)
SHAKEN_SECONDS: Final = 2.0  # for which every picture is compared with the table after one that had wandered (guessed)

# Was the camera bumped
EDGE: Final = 24.0  # grey levels between neighbours; a cell tells something with so many of them (tried) …
STRUCTURED: Final = 0.08  # share of its pixels
TOUCHED_PART: Final = 0.15  # … and is touched when so much of them has changed (tried)
UNTOUCHED: Final = 0.33  # of what tells a hand leaves alone, a bump does not; counted by cells: 0.40 and more, 0.26
TREMBLES: Final = 0.0125  # of the picture's width: moved by less it was not knocked, but shakes (guessed)
LEAST_PARTS: Final = 3  # of the picture's twelve, that tell something, for a bump to be told (guessed)
LONGEST_BUMP: Final = 0.6  # a knock is over by then; what goes on longer is a hand, or is carried (guessed)
TRY_SECONDS: Final = 0.2  # between attempts to find out how it has been moved: one takes a tenth of a second (speed)
BUMPED_SECONDS: Final = 1.2  # for so long after is it tried to find out how (guessed)
CALM_SECONDS: Final = 0.2  # without motion before a picture is kept to be compared (guessed)
MATCHED_WIDTH: Final = 640  # pixels across in which features are looked for (tried)
MATCHED_PIXELS: Final = 2.0  # … and which they may be apart (tried)
LEAST_MATCHES: Final = 16  # features that agree (tried) …
FARTHEST: Final = 0.3  # of its width that a corner of the picture moves: farther it is pointed elsewhere (guessed)
AGREEING: Final = 0.1  # … and share of all that are found again (tried)
SHEARED: Final = 0.01  # standard deviation: how much more a bump stretches one way than the other (physics) …
SLANTED: Final = 0.05  # … and by how much its two sides then differ in size, of a half width: 5 degrees (physics)

# Was the picture turned
STRUCTURE: Final = 2 * LEAST_CHANGE  # grey levels between neighbours: it is found again, less may be noise (tried)
LEAST_STRUCTURE: Final = 40  # small pixels of it that are somewhere else: half a die of a usual size (tried)
PATTERNED: Final = 0.1  # of the small picture is structure: six dice on a plain table show less (counted: 0.03)
TURN_AGAINST: Final = 4.0  # times as much of it must speak for a turn as against it (guessed)
BAR_LEVEL: Final = 24  # grey levels: no brighter are the bars beside a picture that was fitted in (guessed)
JUMPED: Final = 0.3  # of the picture changes at once where it was turned over a table with a pattern (tried)
TURNED_SECONDS: Final = 20.0  # for so long the message is shown (guessed)

# Is the picture fit for reading
DARK_LEVEL: Final = 12  # grey levels: darker is black …
BLACK_SHARE: Final = 0.99  # … and so much of the picture has to be for the camera to be covered (tried)
BURNT_LEVEL: Final = 250  # grey levels: brighter is burnt out …
BRIGHT_SHARE: Final = 0.995  # … likewise: the smallest dice on white paper cover more (physics)
WHITE_TABLE: Final = 0.95  # where so much was white while something was seen, all white is an empty table (tried)
FROZEN_SECONDS: Final = 1.2  # a live camera's noise makes no two pictures alike (physics)
SMALLEST_DIE: Final = 20.0  # pixels; below this, pips run into each other (physics)

# Does a place still show its die
ALIKE_FROM: Final = 0.85  # correlation; counted: dice gone or under a hand 0.78 and less in 99 % of 3,366 looks
SURELY_ALIKE: Final = 0.98  # … and from which on it need not be compared blurred (speed)
CONTRAST: Final = 1.5  # times as much or as little, in shares of its light (counted: 0.84 to 1.55 in 90 % of 217)
BLURS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)  # by which a picture of it may be blurred (physics: pips are gone)
OUT_OF_FOCUS: Final = 0.1  # from which on it cannot be read (physics: half a pip)

# Does it stand on its head
TOLD_DICE: Final = 12.0  # dice beside the first of each table, before anything is said (guessed)
FORGET_TABLES: Final = 0.98  # share that counts on with each table: the camera may be moved (guessed)
LEAST_GROWTH: Final = 0.1  # of ln width down the whole picture; counted: most sources seen aslant 0.16 and more
SURE_GROWTH: Final = 5.0  # standard errors; counted: with 4 one source of eleven was accused falsely, with 5 none

# Which detection is which die
SAME_PLACE: Final = 0.5  # nearer than this it is the same place; no two dice lie so near (physics: half a die)
DOUBLE: Final = 0.45  # nearer, two finds of one look are one die; of dice behind another only a part shows (tried)
CROWDED: Final = 0.6  # nearer than this to a die that is seen no other one lies (physics: dice lean on each other)
REACH: Final = 1.6  # farther it is not the same die, and one pushed by less still lies about there (tried)
OVERLAP: Final = 0.8  # part of two dice's boxes that a box covers which saw both at once (tried)
LIKE: Final = 1.7  # dice of one table are not so many times smaller or larger than the others (tried)
REMEMBERED_SECONDS: Final = 120.0  # for which a die out of sight is remembered where it lay (guessed)
TRAIL: Final = 16  # looks remembered: a camera of 60 a second takes so many in a quarter of one (physics)

# Is it there: log odds
UNSEEN: Final = -5.0  # before the first look: three sure quick looks make a die; a close one tells by itself (tried)
FOUND: Final = 2.0  # of a quick look that finds it, and of what newly lies there; a close look has its own (tried)
SUREST: Final = (
    6.0  # nothing is surer, nor a close look alone; what was never believed is given up at its opposite (guessed)
)
LOST: Final = -2.0  # what was believed once is lost (tried)
SEEN_BEFORE: Final = (1.0, 0.5)  # looks that found and that missed it, assumed before the first (a prior)
MOST_MISSED: Final = 3.0  # of one look that misses it, and of a close one besides (tried)
MOST_APART: Final = 2.0  # looks of a fast camera that one of a slow one is worth at most: they err less alike (guessed)

# Does it lie still
STEADY: Final = 0.12  # a box wanders by so much from look to look (counted: of 85,000 dice left lying none did more) …
ALONE: Final = 0.2  # … that of a die alone, with a trembling camera, and one that a hand pushes (tried)
DRIFT: Final = 0.15  # … and from where it was then, though no hand was near (tried)
DRIFT_SECONDS: Final = (0.06, 0.21)  # … so long ago
ROLL_SPEED: Final = 3.0  # a second: faster from look to look is rolling or carried (tried)
LIES: Final = 2  # looks before a die rests, and is not looked for far away any more … (tried)
REST_SECONDS: Final = 0.12  # … without motion, and for so long: what tips over, or is still blurred, for less (physics)
REST_LOOKS: Final = 3  # close ones while they leave a die in doubt; that agree on another face: it was turned (tried)
TOUCHED_REST: Final = 2  # times as long beside a hand, which may still cover a part (guessed)
PART: Final = 0.4  # of the way its middle moves a corner stays behind: a hand covers a part (tried)

# What it shows
VOTES: Final = 10  # the last looks that vote; half of them may correct a settled value (tried)
INDEPENDENT: Final = 2.0  # … count as so many at most: pictures of a lying die err alike (tried)
CLOSE_SHARE: Final = 0.75  # of all votes has a close look as long as the die lies as it lay (tried)
LEAST_CHANCE: Final = 1e-3  # one look never rules a face out (guessed)
STIRRED: Final = 0.25  # times as much tells a look at a die that something moves at (guessed)
UNTURNED: Final = 0.9  # chance that a die back where it lay shows what it showed (guessed)
SURE: Final = 0.65  # a value with less chance is waited for, then doubted (tried) …
PATIENCE_SECONDS: Final = 0.6  # … for so long

# When is a table read
QUIET_SECONDS: Final = 0.09  # nothing as large as a die has moved elsewhere: one in flight is too blurred to be found
SMALLEST_FLYING: Final = 0.25  # dice: what is smaller is none, in flight or new on the table (physics)
FLIGHT_SECONDS: Final = 0.3  # no die flies longer (physics)
GONE_SECONDS: Final = 0.5  # before dice count as taken away whose places no close look has found bare (tried) …
HUNTING_SECONDS: Final = 1.5  # … where no hand was seen: a camera hunts for its focus, or shakes (physics)
COVERED_SECONDS: Final = 2.0  # half-life of the belief in a die that a hand covers (guessed)

# What have hands done
HAND_SECONDS: Final = 0.26  # what a hand has left so lately counts as covered (physics: 2 pictures of 8, 3 of 12)
HANDLED_SECONDS: Final = 1.5  # it may have put a die down so long before that is seen for certain (tried)
RESTING_SECONDS: Final = 2.5  # one that stays longer rests in the picture …
RESTING_DICE: Final = 2.0  # … if it wanders no farther
BLINK_SECONDS: Final = 0.3  # between two pictures: in more a hand may come, turn a die and be gone (physics)

# How likely it was thrown
ALIKE: Final = 0.4  # dice that all moved by the same way within this: it was the camera or the table (tried)
TURNED: Final = 8.0  # … degrees by which a bump has turned it at most, and the natural logarithm by which … (guessed)
GROWN: Final = 0.1  # … it has grown or shrunk: two dice may by chance lie apart as others did (guessed)
# The chance that a die rolled to where it lies rather than was put there, were both as common, by how many looks saw
# it rolling: counted in simulated turns at 12 to 15 looks a second, where a quarter of the dice thrown were seen
# rolling in no look, and none of 350 laid down by hand in one.
ROLLED: Final = (0.05, 0.92, 0.97, 0.985, 0.99)
ROLLED_UNSEEN: Final = 0.9  # … when no look did, but no hand was near that could have put it there (tried)
SURELY: Final = 0.85  # from which something has rolled: one look at a lone die will do (tried)
# The chance that dice were thrown of which none was seen rolling, if they show what none showed that was taken away:
# counted in 480 simulated turns, half of them hurried, 37 of 48
SHOWS_ELSE: Final = 0.77
SURE_VALUE: Final = 0.9  # of a die set aside: with less it may still turn out to show another (tried)
# Times likelier that a die rolled when others that came at the same time did: of such that no look had seen rolling 178
# had been thrown, 13 laid there by hand. No more than leaves such a die below SURELY: nobody saw it.
TOGETHER: Final = 100.0
