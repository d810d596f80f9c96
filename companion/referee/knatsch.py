"""The referee of Knatsch: six dice, sixes that stay, kept dice that may come back, and throwers who change within a
turn.

Between two throws the dice in the kept row are a preview. The next throw tells which dice stayed: those that are
still there, beside all the sixes. When all six are new, the thrower has stopped and the next one (the owner who
defends, the next of a tournament) has thrown. A throw for which no card has been named yet waits until somebody
names it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.game.changes import Line, Question, Sentence
from companion.game.log import GameLog
from companion.game.timeline import Timeline
from companion.referee.asking import SURE
from companion.referee.asking_dice import WORTH_ASKING
from companion.referee.sentences import (
    NAME_THE_CARD,
    SIX_AGAIN,
    TOO_FEW,
    TOO_MANY,
    WHAT_HAPPENED,
    WHICH_VALUE,
    from_camera,
    said,
)
from companion.referee.sight import SURE_DIE, lying_still, minus, overlap, values
from companion.referee.verdict import Correction, Finding, Verdict
from engine.dice import Faces, parts, together
from engine.knatsch.events import Event, Keep, Roll, Stop, event_text
from engine.knatsch.rules import can, play
from engine.knatsch.state import DICE, State
from vision.types import Reading, SeenDie

# Log chances of what people do beside what the dice show.
MOVED = -2.0  # a die that stayed was moved, or one that lies still was thrown
CLEARED = -6.0  # the table was empty, and the same player threw on
NOT_CLEARED = -2.0  # somebody else threw although the table was never seen empty
NEEDLESS = -3.0  # a player threw on although the card was beaten
GIVEN_UP = -4.0  # a player stopped although the card was not beaten
SEEN_ROLLING = 0.9  # chance that a die rolled from which on it counts as thrown although it lies where it lay


@dataclass(frozen=True, slots=True)
class Explanation:
    """Events that lead from the position to what lies there, with their log chance."""

    events: tuple[tuple[str, Event], ...]
    score: float

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(f"{seat} {event_text(event)}" for seat, event in self.events)


class KnatschReferee:
    """Explains readings of one game of Knatsch."""

    def __init__(self) -> None:
        self._throw = 0  # the last throw that is on record
        self._seen: int | None = None  # the throw the pending verdict is about
        self._before: Reading | None = None  # what lay there last
        self._judged: Reading | None = None
        self._landed: Reading | None = None  # the last throw as it came to lie
        self._cleared = False
        self._numbers: tuple[int, ...] = ()

    def told_anew(self, book: GameLog, asked: Question, answer: Sequence[Line]) -> Correction | None:
        """Nothing is told anew in this game."""
        return None

    def judge(self, timeline: Timeline, reading: Reading) -> Verdict:
        """What this reading says."""
        state: State = timeline.state
        doubt = from_camera(reading.doubt)
        self._seen, self._judged = None, reading
        self._heed_people(timeline, reading)
        if state.finished or not reading.settled:
            return Verdict(preview=self._preview(state, reading), notices=doubt)
        if reading.throw < self._throw:  # the camera was opened anew and counts from the start
            self._throw = 0
        if reading.throw > self._throw and self._only_hidden(reading):
            self._throw = reading.throw
        if reading.throw == self._throw:
            return self._between(state, reading, doubt)
        if not reading.dice:
            return Verdict(notices=doubt)
        return self._thrown(state, reading, doubt)

    def recorded(self, timeline: Timeline, questions: tuple[Question, ...]) -> None:
        """The last findings are on record."""
        if self._seen is not None:
            self._throw, self._cleared, self._before, self._landed = self._seen, False, None, self._judged
        self._numbers = tuple(line.number for line in timeline.lines)

    def ending(self, timeline: Timeline) -> Verdict:
        """No event of Knatsch needs the dice that still lie there to be set aside first."""
        return Verdict()

    def finish(self, timeline: Timeline) -> Verdict:
        """A card that is beaten is left alone; any other throw could have been thrown again."""
        state: State = timeline.state
        if state.finished or state.attempt is None or not can(state, state.seat, Stop()) or not _won(state):
            return Verdict()
        return Verdict((Finding(f"{state.seat} stop", SURE),))

    def _heed_people(self, timeline: Timeline, reading: Reading) -> None:
        """What a person has entered by hand may be the throw that lies there."""
        numbers = tuple(line.number for line in timeline.lines)
        if numbers == self._numbers:
            return
        typed = [line for line in timeline.lines if line.number not in self._numbers and line.by == "person"]
        self._numbers = numbers
        if any(line.move.startswith("roll ") for line in typed) and _last_thrown(timeline) == values(reading.dice):
            self._throw, self._cleared = reading.throw, False

    def _only_hidden(self, reading: Reading) -> bool:
        """Dice that a hand covered for a while look like a throw when they are seen again where they lay."""
        active = {die.track for die in reading.dice if not die.kept}
        if any(_rolled(die, reading) for die in reading.dice if not die.kept):
            return False
        return bool(active) and not self._cleared and active <= lying_still(self._landed, reading)

    # Between two throws

    def _between(self, state: State, reading: Reading, notices: tuple[Sentence, ...]) -> Verdict:
        if reading.dice:
            self._before = reading
            return Verdict(preview=self._preview(state, reading), notices=notices)
        self._cleared = True
        attempt = state.attempt
        if attempt is None or not can(state, state.seat, Stop()):
            return Verdict(notices=notices)
        # Six new dice could still be the same player's, unless a six lies among hers; a beaten card is left alone.
        if attempt.sixes or _won(state):
            self._seen = self._throw
            return Verdict((Finding(f"{state.seat} stop", SURE),), notices=notices)
        return Verdict(notices=notices)

    def _preview(self, state: State, reading: Reading) -> tuple[Finding, ...]:
        """The dice in the kept row, as a keep that is not final."""
        kept = tuple(die for die in reading.dice if die.kept and die.value != 6)
        event = Keep(values(kept))
        if reading.throw != self._throw or not kept or len(reading.dice) != DICE or not can(state, state.seat, event):
            return ()
        sure = min(die.confidence for die in kept)
        return (Finding(f"{state.seat} {event_text(event)}", sure),)

    # After a throw

    def _thrown(self, state: State, reading: Reading, notices: tuple[Sentence, ...]) -> Verdict:
        seen = len(reading.dice)
        if state.attempt is None:
            named = state.choosing and seen == DICE
            return Verdict(notices=(said(NAME_THE_CARD),) if named else notices)
        if seen != DICE:
            return Verdict(notices=(said(TOO_FEW if seen < DICE else TOO_MANY, seen=seen, expected=DICE),))
        found = sorted(self._explanations(state, reading), key=lambda one: -one.score)
        if not found:
            return self._unexplained(state)
        weights = [math.exp(one.score - found[0].score) for one in found]
        chances = [weight / sum(weights) for weight in weights]
        best = found[0]
        sure = min(chances[0], *(die.confidence for die in reading.dice))
        self._seen = reading.throw
        return Verdict(
            tuple(Finding(text, sure) for text in best.texts), tuple(_questions(state, found, chances, reading))
        )

    def _unexplained(self, state: State) -> Verdict:
        """Locked sixes are gone: the thrower has stopped and somebody throws for a card not named yet, or erred."""
        after = _stopped(state)
        if after is not None and self._cleared:
            self._seen = self._throw
            return Verdict((Finding(f"{state.seat} stop", SURE),), notices=(said(NAME_THE_CARD),))
        return Verdict(notices=(said(SIX_AGAIN),))

    def _explanations(self, state: State, reading: Reading) -> list[Explanation]:
        attempt = state.attempt
        assert attempt is not None
        lying = values(reading.dice)
        if attempt.dice is None:
            return [Explanation(((state.seat, Roll(lying)),), 0.0)]
        stayed = self._stayed(reading)
        found = list(self._same_thrower(state, lying, stayed))
        after = _stopped(state) if attempt.kept is None else None
        if after is not None and after.attempt is not None:
            score = MOVED * len(stayed) + (0.0 if self._cleared else NOT_CLEARED)
            if not state.result.beats(attempt.leading):
                score += GIVEN_UP
            found.append(Explanation(((state.seat, Stop()), (after.seat, Roll(lying))), score))
        return found

    def _stayed(self, reading: Reading) -> Faces:
        """Dice that were not thrown: they lie in the kept row, or where they lay (and did not roll there again)."""
        still = lying_still(self._before, reading)
        return values(
            tuple(die for die in reading.dice if die.kept or (die.track in still and not _rolled(die, reading)))
        )

    def _same_thrower(self, state: State, lying: Faces, stayed: Faces) -> list[Explanation]:
        """Ways to have kept some dice and thrown the rest; they lead to the same position, so the likeliest will
        do.
        """
        attempt, seat = state.attempt, state.seat
        assert attempt is not None
        assert attempt.dice is not None
        sixes = (6,) * attempt.sixes
        others = tuple(face for face in attempt.dice if face != 6)
        found = []
        for keep in [attempt.kept] if attempt.kept is not None else parts(others):
            there = together(keep, sixes)
            if len(there) == DICE or overlap(there, lying) != there:
                continue
            thrown = Roll(minus(lying, there))
            events = ((seat, thrown),) if attempt.kept is not None else ((seat, Keep(keep)), (seat, thrown))
            differing = len(minus(there, stayed)) + len(minus(stayed, there))
            score = MOVED * differing + (CLEARED if self._cleared and there else 0.0)
            score += NEEDLESS if _won(state) else 0.0
            found.append(Explanation(events, score))
        return sorted(found, key=lambda one: -one.score)[:1]


def _won(state: State) -> bool:
    """The dice as they lie beat what must be beaten; in a tournament one throws on for the best."""
    attempt = state.attempt
    assert attempt is not None
    target = state.card_at(attempt.place)
    return (target is None or target.id != "tournament") and state.result.beats(attempt.leading)


def _rolled(die: SeenDie, reading: Reading) -> bool:
    """Whether the die was seen to roll in the last throw."""
    return die.came == reading.throw and die.rolled > SEEN_ROLLING


def _stopped(state: State) -> State | None:
    return play(state, state.seat, Stop()) if can(state, state.seat, Stop()) else None


def _last_thrown(timeline: Timeline) -> Faces | None:
    """The six dice after the last throw on record."""
    states: tuple[Any, ...] = timeline.replay.states
    for state, entry in zip(
        reversed(states[:-1]), reversed(timeline.replay.record.entries[: len(states) - 1]), strict=True
    ):
        if isinstance(entry.event, Roll):
            attempt = state.attempt
            staying = (*(attempt.kept or ()), *(6,) * attempt.sixes) if attempt else ()
            return together(entry.event.dice, tuple(staying))
    return None


def _questions(state: State, found: list[Explanation], chances: list[float], reading: Reading) -> list[Question]:
    """What to ask: who threw, if that is not sure; else a die that may show something else."""
    best = found[0]
    likely = [one.texts for one, chance in zip(found, chances, strict=True) if chance >= WORTH_ASKING]
    if len(likely) > 1 and chances[0] < SURE:
        sentence = said(WHAT_HAPPENED, first=", ".join(likely[0]), second=", ".join(likely[1]))
        return [Question(sentence, tuple(range(len(best.events))), tuple(likely))]
    event = best.events[-1][1]
    assert isinstance(event, Roll)
    unsure = min((die for die in reading.dice if die.value in event.dice), key=lambda die: die.confidence, default=None)
    if unsure is None or unsure.confidence >= SURE_DIE:
        return []
    answers = [(best.texts[-1],), *_other_values(state, best, unsure)]
    if len(answers) < 2:
        return []
    values_ = said(WHICH_VALUE, first=answers[0][0][2:], second=answers[1][0][2:])
    return [Question(values_, (len(best.events) - 1,), tuple(answers))]


def _other_values(state: State, best: Explanation, unsure: SeenDie) -> list[tuple[str]]:
    """The throw with the unsure die showing its next likely values, as far as the rules allow."""
    seat, event = best.events[-1]
    assert isinstance(event, Roll)
    for earlier_seat, earlier in best.events[:-1]:
        state = play(state, earlier_seat, earlier)
    faces = sorted(range(1, 7), key=lambda face: -unsure.probabilities[face - 1])
    found = []
    for face in faces:
        if face != unsure.value and unsure.probabilities[face - 1] >= WORTH_ASKING:
            other = Roll(together(minus(event.dice, (unsure.value,)), (face,)))
            if can(state, seat, other):
                found.append((f"{seat} {event_text(other)}",))
    return found[:3]
