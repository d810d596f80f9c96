"""What to ask about the best story when it is not sure enough: one question for each part that may be otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.game.changes import Question, Sentence
from companion.referee.alike import FIRST, spread
from companion.referee.asking_dice import MOST_ANSWERS, WORTH_ASKING, Events, about_dice
from companion.referee.ranking import GOOD, Ranking, deeds, verb
from companion.referee.sentences import (
    READ_AGAIN,
    THROWN_AGAIN,
    UNSEEN,
    WHAT_HAPPENED,
    WHICH_PURCHASE,
    said,
    which_card,
)
from companion.referee.swaps import cards
from companion.referee.verdict import Finding
from vision.types import SeenDie

SURE = 0.98  # a story that is less likely than this is asked about …
SURE_IF_PLAIN, PLAIN = 0.9, -3.5  # … one of so high a score from this on: nothing out of the way is told in it
LIKELY = 0.02  # a story less likely than this does not say what the parts are that may be otherwise

Answers = tuple[Events, ...]


def questions(ranking: Ranking, rolled: Sequence[SeenDie], doubtful: bool = False) -> tuple[Question, ...]:
    """What to ask about the best story's findings. rolled: the dice seen after its throw.

    doubtful: something before it was not understood.
    """
    asked = [*_purchases(ranking), *_about_events(ranking, doubtful)]
    if ranking.best.found and not any(ranking.best.before + len(ranking.best.found) - 1 in q.lines for q in asked):
        asked += about_dice(ranking.best, rolled)
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
    place = 0
    for answers in best.world.reopened:  # another answer than the one on record: the question stays open
        if answers[0]:
            yield Question(which(answers), tuple(range(place, place + len(answers[0]))), answers)
        place += len(answers[0])
    unread = doubtful or best.world.kind == "undone" or any("?" in event for event in best.found)
    sure = ranking.chances[0] >= (SURE_IF_PLAIN if best.score >= PLAIN else SURE)
    if not best.found or (sure and best.score >= GOOD and not unread):
        return
    alike: dict[Events, float] = {}
    for one, chance in zip(ranking.told, ranking.chances, strict=True):
        if chance >= WORTH_ASKING and one.world.found == best.world.found:
            alike.setdefault(one.found or deeds(one.later), chance)  # perhaps nothing was thrown
    if len(alike) == 1:
        yield Question(said(UNSEEN), (before + len(best.found) - 1,), (best.found[-1:],))
    for place, parts in _parts(list(alike), sum(chance >= LIKELY for chance in alike.values())):
        yield from _about_part(before + place, parts)


def _parts(stories: Sequence[Events], likely: int) -> Iterator[tuple[int, list[Events]]]:
    """The parts in which stories differ: (where it begins in the first story, that part of each). In the first story
    no part is empty: a question is about lines. likely: so many stories say what the parts are; others that share
    nothing with them are left out.
    """
    common = deeds(stories[0])
    for story in stories[1 : max(likely, 2)]:
        common = _shared(common, deeds(story))
    split = [_split(story, common) for story in stories if _shared(deeds(story), common) == common]
    gaps = len(common) + 1
    place = gap = 0
    while gap < gaps:
        parts, first = [one[gap] for one in split], gap
        while not parts[0] and _differ(parts) and gap + 1 < gaps:  # the event that follows belongs to it
            parts = [(*part, common[gap], *one[gap + 1]) for part, one in zip(parts, split, strict=True)]
            gap += 1
        if not parts[0] and _differ(parts) and first:  # … or the one before
            parts, place = [(common[first - 1], *part) for part in parts], place - 1
        if parts[0] and _differ(parts):
            yield place, parts
        place += len(parts[0]) + 1
        gap += 1


def _differ(parts: Sequence[Events]) -> bool:
    """Whether these parts differ in more than what was set aside when."""
    return len(set(map(deeds, parts))) > 1


def _shared(one: Events, other: Events) -> Events:
    """The longest sequence of events that both hold."""
    best: list[list[Events]] = [[()] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, event in enumerate(one):
        for j, also in enumerate(other):
            longer = max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = (*best[i][j], event) if event == also else longer
    return best[-1][-1]


def _split(story: Events, common: Events) -> list[Events]:
    """What stands before, between and after the common events."""
    found: list[Events] = []
    rest = story
    for event in common:
        at = rest.index(event)
        found.append(rest[:at])
        rest = rest[at + 1 :]
    return [*found, rest]


def _about_part(place: int, parts: Sequence[Events]) -> Iterator[Question]:
    """One question about a part; one for each card where the likeliest ways to tell it differ in the cards alone."""
    begin, end = _ends(parts)
    different = list(dict.fromkeys(part[begin : len(part) - end] for part in parts))
    best = different[0]
    alike = [part for part in different if _kept(part) == _kept(best) and _verbs(part) == _verbs(best)]
    if len(deeds(best)) > 1 and alike[:FIRST] == different[:FIRST]:
        at = [i for i, event in enumerate(best) if verb(event) != "keep"]
        for i, events in zip(at, zip(*map(deeds, alike), strict=True), strict=True):
            found: Answers = tuple((event,) for event in dict.fromkeys(events))[:MOST_ANSWERS]
            if len(found) > 1:
                yield Question(which(found), (place + begin + i,), found)
        return
    answers = tuple(spread(different))[:MOST_ANSWERS]
    yield Question(which(answers), tuple(range(place + begin, place + begin + len(best))), answers)


def _ends(parts: Sequence[Events]) -> tuple[int, int]:
    """How many events all parts share at the start and at the end; the first keeps at least one in between."""
    shortest, begin, end = min(map(len, parts)), 0, 0
    while begin < min(shortest, len(parts[0]) - 1) and len({part[begin] for part in parts}) == 1:
        begin += 1
    while end < min(shortest, len(parts[0]) - 1) - begin and len({part[-1 - end] for part in parts}) == 1:
        end += 1
    return begin, end


def _kept(part: Events) -> Counter[str]:
    return Counter(die for event in part if verb(event) == "keep" for die in event.split()[2:])


def _verbs(part: Events) -> list[str]:
    return [verb(event) for event in deeds(part)]


def which(answers: Sequence[tuple[str, ...]]) -> Sentence:
    """What to ask when these are the answers."""
    if len(answers) < 2:
        return said(UNSEEN)
    used = [cards(answer) for answer in answers]
    if all(used) and len({card for some in used for card in some}) > 1:
        return which_card(card for some in used for card in some)
    return said(WHAT_HAPPENED, first=", ".join(answers[0]), second=", ".join(answers[1]) or "–")
