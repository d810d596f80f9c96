"""Stories weighed against each other: how sure the best one is, and what to ask when it is not sure enough."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from companion.changes import Sentence
from companion.referee.sentences import (
    READ_AGAIN,
    THROWN_AGAIN,
    UNSEEN,
    WHAT_HAPPENED,
    WHICH_CARD,
    WHICH_PURCHASE,
    WHICH_VALUE,
    said,
)
from companion.referee.sight import SURE_DIE, minus
from companion.referee.story import Story
from companion.referee.verdict import Finding, Question
from companion.referee.worlds import World
from engine.dice import Faces, together
from engine.krone.cards import CARDS
from engine.krone.events import Event, Roll, Use, event_text
from vision.seen import SeenDie

SURE = 0.98  # a story that is less likely than this is asked about
GOOD = -6.5  # … or whose score is lower: then we also look at what else may have been otherwise
WORTH_ASKING = 0.002  # an answer less likely than this is not offered
MOST_ANSWERS = 6


@dataclass(frozen=True, slots=True)
class Told:
    """A story in the world it happens in. found: what is recorded, to the last throw; later: seen since, a preview;
    thrown: which event of the story is its last throw, -1 for none; halfway: the card that is just being used, ""
    for none: some of its dice are turned, others are not yet."""

    world: World
    found: tuple[str, ...]
    later: tuple[str, ...]
    story: Story
    thrown: int
    score: float
    halfway: str = ""

    def at(self, cost: float) -> Told:
        """The same, less or more likely."""
        return replace(self, score=self.score + cost)

    @property
    def before(self) -> int:
        """How many lines are written before those of `found`."""
        return sum(bool(finding.event) for finding in self.world.found)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Stories, the likeliest first, with their chances."""

    told: tuple[Told, ...]
    chances: tuple[float, ...]

    @property
    def best(self) -> Told:
        return self.told[0]


def told(world: World, story: Story, seen: float, final: bool = False) -> Told:
    """seen: log chance of the dice given the story. final: all of it is recorded, not only what leads to a throw."""
    throws = [i for i, (_, event) in enumerate(story.events) if is_throw(event)]
    thrown = throws[-1] if throws else -1
    cut = len(story.events) if final else thrown + 1
    head = Story(story.state, story.events[:cut]).texts()
    tail = Story(story.state, story.events[cut:]).texts()
    return Told(world, head, tail, story, thrown, world.cost + story.score + seen)


def ranked(stories: Iterable[Told]) -> Ranking | None:
    """Equal stories once, the likeliest first; None when there are none.

    Stories are equal when they differ only in what was set aside between the same throws and cards.
    """
    best: dict[tuple[object, ...], Told] = {}
    for one in stories:
        key = (one.world.found, _deeds(one.found), _deeds(one.later), one.halfway)
        if key not in best or best[key].score < one.score:
            best[key] = one
    order = sorted(best.values(), key=lambda one: -one.score)
    if not order:
        return None
    weights = [math.exp(one.score - order[0].score) for one in order]
    return Ranking(tuple(order), tuple(weight / sum(weights) for weight in weights))


def _deeds(events: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(event for event in events if _verb(event) != "keep")


def questions(ranking: Ranking, rolled: Sequence[SeenDie], doubtful: bool = False) -> tuple[Question, ...]:
    """What to ask about the best story's findings. rolled: the dice seen after its throw.

    doubtful: something before it was not understood.
    """
    asked = [*_purchases(ranking), *_about_events(ranking, doubtful)]
    if ranking.best.found and not any(ranking.best.before + len(ranking.best.found) - 1 in q.about for q in asked):
        asked += _about_dice(ranking.best, rolled)
    return tuple(asked)


def _purchases(ranking: Ranking) -> Iterator[Question]:
    """Purchases that were found out are always asked about, the likeliest first."""
    best = ranking.best
    if best.world.kind != "bought":
        return
    for place, found in enumerate(best.world.found):
        answers = dict.fromkeys(
            (one.world.found[place].event,)
            for one in ranking.told
            if one.found == best.found and _without(one.world.found, place) == _without(best.world.found, place)
        )
        yield Question(said(WHICH_PURCHASE, seat=found.event[0]), (place,), tuple(answers)[:MOST_ANSWERS])


def _without(found: tuple[Finding, ...], place: int) -> object:
    places = [finding.at for finding in found]
    return places, [finding.event for i, finding in enumerate(found) if i != place]


def _about_events(ranking: Ranking, doubtful: bool) -> Iterator[Question]:
    best, before = ranking.best, ranking.best.before
    if best.world.kind in ("misread", "again") and best.world.instead:
        roll = best.world.found[0].event
        sentence = said(READ_AGAIN if best.world.kind == "misread" else THROWN_AGAIN)
        yield Question(sentence, (0,), tuple(dict.fromkeys(((roll,), *best.world.instead))))
    unread = doubtful or any("?" in event for event in best.found)
    if not best.found or (ranking.chances[0] >= SURE and best.score >= GOOD and not unread):
        return
    alike = (
        one.found
        for one, chance in zip(ranking.told, ranking.chances, strict=True)
        if chance >= WORTH_ASKING and one.world.found == best.world.found
    )
    stories = list(dict.fromkeys(alike))[:MOST_ANSWERS]
    if len({tuple(map(_verb, events)) for events in stories}) == 1:
        asked = list(_one_by_one(stories, before))
        if asked:
            yield from asked
            return
    start, end = _difference(stories)
    about = tuple(range(before + start, before + len(best.found) - end))
    answers = tuple(dict.fromkeys(events[start : len(events) - end] for events in stories))
    yield Question(_which(answers), about, answers)


def _verb(event: str) -> str:
    return event.split()[1]


def _one_by_one(stories: Sequence[tuple[str, ...]], before: int) -> Iterator[Question]:
    """The same kinds of events in every story: one question for each that may have been another."""
    for place, events in enumerate(zip(*stories, strict=True)):
        answers = tuple((event,) for event in dict.fromkeys(events))
        if len(answers) > 1:
            yield Question(_which(answers), (before + place,), answers)


def _difference(stories: Sequence[tuple[str, ...]]) -> tuple[int, int]:
    """How many events all stories share at the start and at the end; the first story keeps at least one in
    between."""
    shortest, start, end = min(map(len, stories)), 0, 0
    while start < shortest - 1 and len({events[start] for events in stories}) == 1:
        start += 1
    while end < shortest - start and len({events[-1 - end] for events in stories}) == 1:
        end += 1
    return start, min(end, len(stories[0]) - start - 1)


def _which(answers: Sequence[tuple[str, ...]]) -> Sentence:
    if len(answers) < 2:
        return said(UNSEEN)
    cards = [_cards(answer) for answer in answers]
    if all(cards) and len({card for used in cards for card in used}) > 1:
        names = dict.fromkeys(card for used in cards for card in used)
        return said(WHICH_CARD, cards=", ".join(names))
    return said(WHAT_HAPPENED, first=", ".join(answers[0]), second=", ".join(answers[1]) or "–")


def _cards(answer: tuple[str, ...]) -> list[str]:
    return [words[2] for words in map(str.split, answer) if words[1] == "use"]


def _about_dice(best: Told, rolled: Sequence[SeenDie]) -> Iterator[Question]:
    """A die of the throw that may show something else: the throw with its likeliest values, then the next likely
    ones."""
    if best.thrown < 0:
        return
    seat, event = best.story.events[best.thrown]
    assert isinstance(event, Roll | Use)  # what else is thrown
    shown = event.dice if isinstance(event, Roll) else event.after
    unsure = sorted((die for die in rolled if die.confidence < SURE_DIE), key=lambda die: die.confidence)[:2]
    if not unsure or any(die.value not in shown for die in unsure):
        return
    sure = minus(shown, tuple(die.value for die in unsure))
    choices = []
    for faces in product(range(1, 7), repeat=len(unsure)):
        chance = math.prod(die.probabilities[face - 1] for die, face in zip(unsure, faces, strict=True))
        dice = together(sure, tuple(sorted(faces)))
        choices.append((chance, dice))
    order = dict.fromkeys(dice for chance, dice in sorted(choices, key=lambda c: -c[0]) if chance >= WORTH_ASKING)
    answers = [(f"{seat} {event_text(_showing(event, dice))}",) for dice in order][:MOST_ANSWERS]
    if len(answers) > 1:
        place = best.before + len(best.found) - 1
        values = said(WHICH_VALUE, first=answers[0][0][2:], second=answers[1][0][2:])
        yield Question(values, (place,), tuple(answers))


def _showing(event: Roll | Use, dice: Faces) -> Roll | Use:
    return Roll(dice) if isinstance(event, Roll) else Use(event.card, event.before, dice)


def is_throw(event: Event) -> bool:
    """Whether dice are thrown in this event, rather than moved by hand."""
    return isinstance(event, Roll) or (isinstance(event, Use) and CARDS[event.card].ability == "reroll")
