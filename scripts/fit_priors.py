"""Estimates the referee's priors from simulated turns with known truth: `python -m scripts.fit_priors FILE...`.

FILES are stored turns (`python -m scripts.measure_table --observations FILE`, simulated, not filmed). For each
probability it prints the natural logarithm, the counts and the 95 % interval; names are those of
`companion/game/referee/priors.py`. Players' choices (which cards they use, how they set dice aside) are those of
simulated players, so only their order of magnitude is meaningful. Events that never happened count half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tyro.conf import Positional

from companion.game.referee.distances import SAME_SPOT
from companion.game.referee.observation import Observer
from companion.game.referee.same_die import HANDLED
from engine.knatsch import game as knatsch
from engine.knatsch.events import Keep as Keep_
from engine.knatsch.events import Stop
from engine.krone import rules as krone
from engine.krone.cards import CARDS
from engine.krone.events import Keep, Pass, Roll, Use, read_event
from tests.kit.evaluation.photos import share
from tests.kit.options import run
from tests.kit.stored_turns import StoredTurn, TableTruth, TrueDie, read_turns
from vision.types import Reading, SeenDie

CONFIDENT = 0.9  # minimum confidence of a confident vote
HERE = 0.5  # die widths: a die within this distance has not moved
BESIDE = 2.25  # die widths: maximum distance of dice set aside from one another
NEAR = 0.6  # die widths: a detection within this distance is the true die
EXPLAINED = {
    "floor": "a settled die, read with confidence, shows one particular other face",
    "mistaken": "a settled die that is not read with confidence is misread",
    "hidden": "a settled reading lacks a resting die",
    "ghost": "a settled reading has a new die where none rests",
    "rolled_in_place": "a rolled die seems to rest where it rested before",
    "rolled_nearby": "a rolled die rests close to where a rolled die rested before",
    "unrolled": "vision reports no die of a roll as rolled",
    "false_roll": "a settled reading counts a roll that never happened",
    "unnoticed": "a settled reading misses a roll",
    "turned_up": "a die turned by a card rests elsewhere than before",
    "not_lifted": "a die turned by a card rests in its old place, and vision reports it as rolled there",
    "aside_again": "a die set aside earlier rests elsewhere in the next settled reading",
    "put_back": "a die in play rests elsewhere in play, without a roll",
    "aside_alone": "a die newly set aside rests apart from those set aside earlier",
    "card": "a card is used after a roll (simulated players)",
    "second_card": "a second card is used before the next roll or dice set aside (simulated players)",
    "early": "a card that sets a die is used before the first roll (simulated players)",
    "needless": "a card rolls what a normal roll could have (simulated players)",
    "given_up": "a player rolls on for a won card, or gives up a card not won (simulated players of Knatsch)",
    "none_kept": "all dice are rolled again (simulated players of Knatsch)",
    "skipped": "a turn has no roll (simulated players)",
}

Counted = Counter[tuple[str, bool]]


def main(files: Positional[tuple[Path, ...]]) -> None:
    """Counts and prints."""
    counted: Counted = Counter()
    for file in files:
        for turn in read_turns(file):
            counted.update(_of_vision(turn))
            counted.update(_of_rolls(turn))
            counted.update(_of_players(turn) if turn.begun.GAME == "krone" else _of_attempts(turn))
    print("\n".join(table(counted)))


def table(counted: Counted) -> Iterator[str]:
    """A line for every counted probability."""
    for name, meaning in EXPLAINED.items():
        yes, no = counted[name, True], counted[name, False]
        if yes + no:
            logarithm = math.log(max(yes, 0.5) / (yes + no)) - (math.log(5) if name == "floor" else 0.0)
            yield f"{name:12} {logarithm:6.2f}   {yes:6} of {yes + no:7}  {share(yes, yes + no, 2):24} {meaning}"


def _of_vision(turn: StoredTurn) -> Iterator[tuple[str, bool]]:
    """Each opportunity for a vision error, and whether it happened."""
    before: tuple[Reading, TableTruth] | None = None
    resting: dict[int, tuple[TrueDie, int]] = {}  # each true die at the last settled reading that had it, with its roll
    known: set[tuple[int, float | None]] = set()  # dice in settled readings, by track and the roll they came with
    rolled: dict[int, int] = {}  # die → the last roll in which it was seen rolling
    for (reading, *_), true_table in zip(turn.seen, turn.truths, strict=False):
        for die in true_table.dice:
            if die.value is None:
                rolled[die.number] = true_table.rolls
        if not reading.settled:
            continue
        quiet = all(die.value is not None for die in true_table.dice)
        pairs = list(_pairs(reading.dice, true_table.dice))
        for seen, true in pairs:
            if true.value is not None:
                yield "floor" if seen.confidence >= CONFIDENT else "mistaken", seen.value != true.value
        yield from _present(reading, true_table, pairs, known)
        known |= {(die.track, die.rested_since) for die in reading.dice}
        yield from _handled(pairs, {n: was for n, (was, throw) in resting.items() if rolled.get(n, 0) <= throw})
        resting |= {true.number: (true, true_table.rolls) for _, true in pairs if true.value is not None}
        if before is not None and quiet:
            happened, counted_rolls = true_table.rolls - before[1].rolls, reading.rolls - before[0].rolls
            yield ("unnoticed", counted_rolls < happened - 0.5) if happened else ("false_roll", counted_rolls > 0.5)
        if quiet:
            before = reading, true_table


def _of_rolls(turn: StoredTurn) -> Iterator[tuple[str, bool]]:
    """The places where rolled dice seem to rest, and whether any was seen rolling."""
    observer, before = Observer(), None
    rolled: dict[int, int] = {}  # die → the last roll in which it was seen rolling
    for (reading, *_), true_table in zip(turn.seen, turn.truths, strict=False):
        rolled |= {die.number: true_table.rolls for die in true_table.dice if die.value is None}
        observer.watch(reading)
        if not reading.settled:
            continue
        scene = observer.snapshot = observer.see(reading)
        entries = {entry.stay.track: entry for entry in scene.sightings}
        if (
            before is not None
            and true_table.rolls > before.rolls
            and all(die.value is not None for die in true_table.dice)
        ):
            earlier = {die.number for die in before.dice}
            pairs = list(_pairs(reading.dice, true_table.dice))
            rolled_dice = [(seen, true) for seen, true in pairs if rolled.get(true.number, 0) > before.rolls]
            for seen, true in rolled_dice:
                shift = entries[seen.track].shift
                if true.number in earlier:
                    yield "rolled_in_place", shift is not None and shift < SAME_SPOT / 2
                left = (die for die in before.dice if die.number in {one.number for _, one in rolled_dice})
                far = min((_apart(die, true) for die in left), default=math.inf)
                yield "rolled_nearby", SAME_SPOT <= far < HERE
            if rolled_dice:
                yield "unrolled", not any(entries[seen.track].stay.rolled >= HANDLED for seen, _ in rolled_dice)
        before = true_table


def _handled(pairs: Sequence[tuple[SeenDie, TrueDie]], resting: dict[int, TrueDie]) -> Iterator[tuple[str, bool]]:
    """Actions of hands between two settled readings. `resting`: the dice before that were not rolled since."""
    aside = [true for _, true in pairs if true.place == "kept"]
    for seen, true in pairs:
        was = resting.get(true.number)
        if was is None or was.value is None or true.value is None:
            continue
        here = _apart(was, true) < HERE
        if was.value != true.value:
            if seen.value != true.value:
                continue  # it has not been read again yet
            yield "turned_up", not here
            if here:
                yield "not_lifted", seen.rolled >= HERE
        elif was.place == true.place == "kept":
            yield "aside_again", not here
        elif was.place == true.place == "active":
            yield "put_back", not here
        elif true.place == "kept" and len(aside) > 1:
            far = [_apart(o, true) > BESIDE for o in aside]
            yield "aside_alone", sum(not one for one in far) == 1  # only this one


def _present(
    reading: Reading,
    true_table: TableTruth,
    pairs: Sequence[tuple[SeenDie, TrueDie]],
    known: set[tuple[int, float | None]],
) -> Iterator[tuple[str, bool]]:
    """The resting dice of a settled reading, and those that rest for the first time."""
    seen, true = {die.track for die, _ in pairs}, {die.number for _, die in pairs}
    for die in true_table.dice:
        if die.value is not None:
            yield "hidden", die.number not in true
    for one in reading.dice:
        if (one.track, one.rested_since) not in known:
            yield "ghost", one.track not in seen


def _of_players(turn: StoredTurn) -> Iterator[tuple[str, bool]]:
    """Each choice of a player, and what they chose."""
    used, rolled_dice, state = 0, False, turn.begun
    for line in turn.lines:
        event, now = read_event(line[2:]), state.turn
        if now.rolled and now.active and not now.duty:  # a roll is allowed
            by_card = isinstance(event, Use) and CARDS[event.card].ability == "reroll" and event.before == now.active
            if by_card or isinstance(event, Roll):
                yield "needless", by_card
        if isinstance(event, Use) and CARDS[event.card].ability == "add":
            yield "early", not now.rolled
        state = krone.play(state, line[0], event)
        if isinstance(event, Use):
            used += 1
            continue
        if rolled_dice:
            yield "card", used > 0
            if used:
                yield "second_card", used > 1
        rolled_dice, used = rolled_dice or isinstance(event, Roll), 0
        if not isinstance(event, Roll | Keep):
            break
    yield "skipped", not rolled_dice and isinstance(event, Pass)


def _of_attempts(turn: StoredTurn) -> Iterator[tuple[str, bool]]:
    """Each moment in which a Knatsch player may roll on, and whether they made a useless choice."""
    state = turn.begun
    for line in turn.lines:
        event, attempt = knatsch.read_event(line[2:]), state.attempt
        if attempt is not None and attempt.dice is not None and attempt.kept is None:
            target = state.card_at(attempt.place)
            if target is None or target.id != "tournament":
                yield "given_up", isinstance(event, Stop) != state.result.beats(attempt.leading)
            if isinstance(event, Keep_) and not attempt.sixes:
                yield "none_kept", not event.dice
        state = knatsch.play(state, line[0], event)


def _pairs(seen: Sequence[SeenDie], true: Sequence[TrueDie]) -> Iterator[tuple[SeenDie, TrueDie]]:
    """Detected dice matched with the true ones, nearest first."""
    apart = sorted(
        (math.dist(_middle(a.xyxy), _middle(b.xyxy)) / _width(b.xyxy), i, j)
        for i, a in enumerate(seen)
        for j, b in enumerate(true)
    )
    seen_left, true_left = set(range(len(seen))), set(range(len(true)))
    for far, i, j in apart:
        if far < NEAR and i in seen_left and j in true_left:
            seen_left.remove(i)
            true_left.remove(j)
            yield seen[i], true[j]


def _apart(one: TrueDie, other: TrueDie) -> float:
    """Distance of two centres, in widths of the other die."""
    return math.dist(_middle(one.xyxy), _middle(other.xyxy)) / _width(other.xyxy)


def _middle(box: tuple[float, float, float, float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _width(box: tuple[float, float, float, float]) -> float:
    return math.sqrt((box[2] - box[0]) * (box[3] - box[1]))


if __name__ == "__main__":
    run(main)
