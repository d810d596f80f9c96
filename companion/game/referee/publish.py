"""Compares the belief with the record: which lines it explains, what to record, what to ask."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.game.changes import Line, Question
from companion.game.moves import Move, Moves, as_lines, joined, move_texts, moves_of, without_keeps
from companion.game.referee.beam import Weighed
from companion.game.referee.model import Hypothesis
from companion.game.referee.questions import MAX_ANSWERS, WORTH_ASKING, Explanation, PossibleQuestion
from companion.game.referee.sentences import WHICH_PURCHASE, message
from companion.game.referee.verdict import Finding, Verdict
from companion.game.timeline import Timeline


def known(h: Hypothesis, record: Moves) -> int | None:
    """Number of acts that are on record already; None if the record contradicts the hypothesis."""
    game, count, number = h.transitions.game, len(record), 0  # number: complete lines
    line: Move | None = None  # the last line, which may still grow
    for place, move in enumerate(h.moves):
        one = None if line is None else joined(game, line, move)
        if one is not None:
            line = one
            continue
        if number == count and (line is None or line == record[-1]):
            return place
        if number == count or (line is not None and line != record[number - 1]):
            return None
        number, line = number + 1, move
    if number == count and (line is None or line == record[-1]):
        return len(h.acts)
    return None


def as_final(h: Hypothesis, record: Moves) -> Hypothesis | None:
    """The hypothesis with dice set aside as on record; None if the record contradicts it."""
    if known(h, record) is not None:
        return h
    done = h.kept(h.set_aside())
    if done is None:
        return None
    if known(done, record) is not None:
        return done
    over = next(h.transitions.ends(h), None)
    return over if over is not None and known(over, record) is not None else None


def without_turn(h: Hypothesis, record: Moves, state: object) -> Hypothesis | None:
    """A hypothesis without the finished turn that is on record, as seen from the position after it."""
    game = h.transitions.game
    place = next((i for i in range(len(h.acts) + 1) if as_lines(game, h.moves[:i]) == record), None)
    if place is None:
        return None
    while place < len(h.acts) and h.acts[place].verb == "keep":
        place += 1
    return h.replace(base=state, acts=h.acts[place:]).replayed()


def turn_of(h: Hypothesis, begin: int, seat: str) -> Hypothesis | None:
    """The hypothesis as it was when this seat's turn ended; unchanged if the turn goes on."""
    for place in range(begin, len(h.acts)):
        if h.acts[place].seat != seat:
            return h.replace(acts=h.acts[:place], dice=()).replayed()
    return h


def head(h: Hypothesis, rolls: int = 0) -> Moves:
    """The events up to the last roll; all events if there are fewer rolls than `rolls`."""
    count = sum(act.rolls for act in h.acts)
    return as_lines(h.transitions.game, h.moves[: h.last_roll_end] if count >= rolls else h.moves)


def explanations(
    weighed: Iterable[Weighed], explained: Callable[[Hypothesis], Moves | None] = head
) -> Iterator[Explanation]:
    """The explanations of the hypotheses, with their chances."""
    for one in weighed:
        lines = explained(one.hypothesis)
        if lines is not None:
            yield Explanation(lines, one.chance)


def likeliest(weighed: Iterable[Weighed], explained: Callable[[Hypothesis], Moves | None]) -> list[Weighed]:
    """One hypothesis for each explanation, the likeliest explanation first, with the chance of all that share it."""
    found: dict[Moves, Weighed] = {}
    for one in weighed:
        lines = explained(one.hypothesis)
        if lines is not None:
            first = found.get(without_keeps(lines), replace(one, chance=0.0))
            found[without_keeps(lines)] = replace(first, chance=first.chance + one.chance)
    return sorted(found.values(), key=lambda one: -one.chance)


def values(
    h: Hypothesis, explained: Moves, asked: Iterable[PossibleQuestion], sure: float
) -> Iterator[PossibleQuestion]:
    """Questions about the faces of rolled dice that are less certain than `sure`, where nothing else is in doubt.

    Args:
        explained: What this hypothesis explains.
    """
    about = {place for doubt in asked for place in doubt.lines}
    rolls = [place for place, move in enumerate(explained) if move in {h.moves[i] for i in _roll_places(h)}]
    for at, place in zip(_roll_places(h), rolls, strict=False):
        if place in about or explained[place] != h.moves[at]:
            continue
        answers = {explained[place]: 1.0}
        for other, chance in _varied(h, h.acts[at].after):
            answers[other.moves[at]] = max(chance, answers.get(other.moves[at], 0.0))
        order = tuple((move,) for move in sorted(answers, key=lambda move: -answers[move]))[:MAX_ANSWERS]
        chance = 1.0 / sum(answers.values())
        if len(order) > 1 and chance < sure:
            courses = tuple(Explanation(shown, answers[shown[0]]) for shown in order)
            yield PossibleQuestion((place,), order, chance, place, courses)


def varied(one: Weighed) -> Iterator[Weighed]:
    """Copies in which dice of one roll show other faces."""
    h = one.hypothesis
    for at in _roll_places(h):
        for other, chance in _varied(h, h.acts[at].after):
            yield Weighed(other, one.score + math.log(chance), one.chance * chance)


def _roll_places(h: Hypothesis) -> list[int]:
    return [i for i, act in enumerate(h.acts) if act.rolls]


def _varied(h: Hypothesis, names: Iterable[int]) -> Iterator[tuple[Hypothesis, float]]:
    """Copies with one or two other faces, and their chance relative to the faces believed."""
    found = [(h, 1.0)]
    for name in names:
        face, seen = h.faces[name], h.stays[name]
        for one, chance in list(found) if face and seen else ():
            for instead in range(1, 7):
                odds = chance * math.exp(sum(stay.log_chances[instead] - stay.log_chances[face] for stay in seen))
                if instead != face and WORTH_ASKING <= odds <= 1.0:
                    other = one.showing(name, instead)
                    if other is not None:
                        found.append((other, odds))
    yield from found[1:]


def written(
    timeline: Timeline,
    begin: int,
    explained: Moves,
    asked: Iterable[PossibleQuestion],
    sure: float,
    upto: int | None = None,
) -> Verdict | None:
    """The verdict that makes the record from `begin` on read `explained`, with these questions.

    A line that replaces another mentions what was recorded before.

    Args:
        sure: The chance of `explained`.
        upto: The place after the last line that changes.

    Returns:
        None where a line that a person entered would have to go.
    """
    game, old, events = timeline.game, timeline.lines[begin:upto], move_texts(timeline.game, explained)
    same = last = 0
    shortest = min(len(old), len(explained))
    while same < shortest and old[same].event == events[same]:
        same += 1
    while last < shortest - same and old[-1 - last].event == events[-1 - last]:
        last += 1
    out = old[same : len(old) - last]
    new = range(same, len(explained) - last)
    if any(line.by == "person" for line in out):
        return None

    def line_at(place: int) -> Line | None:
        return old[place] if place < same else old[place - len(explained)] if place >= len(explained) - last else None

    if out and not explained:
        return Verdict()  # nothing would be left to ask about
    asked = list(asked)
    if out and not any(set(new) & set(q.lines) for q in asked):
        about = new[: None if last else len(out)] if new else range(max(0, same - 1), max(1, same))
        was = (*(explained[i] for i in about if i not in new), *moves_of(game, out))
        answers = tuple(explained[i] for i in about), was
        asked.append(PossibleQuestion(tuple(about), answers, sure, min(about), matters=False))
    asked = [q for q in asked if not any((line := line_at(i)) is not None and line.by == "person" for i in q.lines)]
    places = sorted({*new, *(i for q in asked for i in q.lines)})
    findings: list[Finding] = []
    at: dict[int, int] = {}
    for place in places:
        line = line_at(place)
        instead = line if line is not None else out[place - same] if place - same < len(out) else None
        at[place] = len(findings)
        findings.append(
            Finding(events[place], sure, instead=instead.number)
            if instead is not None
            else Finding(events[place], sure, at=begin + place if last else None)
        )
    removed = [Finding("", sure, instead=line.number) for line in out[len(new) :]]
    raised = (q._replace(lines=tuple(at[i] for i in q.lines)).question(game) for q in asked)
    return Verdict((*findings, *removed), tuple(raised))


def with_purchases(found: Verdict, best: Hypothesis, weighed: Sequence[Weighed]) -> Verdict:
    """The verdict after the purchases that the likeliest hypothesis assumes; each of them is asked about."""
    count = len(best.bought)
    first, asked = [], []
    for place, purchase in enumerate(best.bought):
        others = [*best.bought[:place], *best.bought[place + 1 :]]
        same = (
            one.hypothesis.bought[place].event
            for one in weighed
            if one.chance >= WORTH_ASKING
            and len(one.hypothesis.bought) == count
            and [*one.hypothesis.bought[:place], *one.hypothesis.bought[place + 1 :]] == others
        )
        answers = tuple((event,) for event in dict.fromkeys((purchase.event, *same)))[:MAX_ANSWERS]
        first.append(Finding(purchase.event, 0.5, at=purchase.at))
        asked.append(Question(message(WHICH_PURCHASE, seat=purchase.event[0]), (place,), answers))
    later = tuple(replace(one, at=None if one.at is None else one.at + count) for one in found.findings)
    moved = (replace(q, lines=tuple(i + count for i in q.lines)) for q in found.questions)
    return replace(found, findings=(*first, *later), questions=(*asked, *moved))


def with_card(h: Hypothesis) -> Hypothesis:
    """The hypothesis with its turned dice explained by the likeliest card. A history that names a card does not
    contradict one that names none yet."""
    if not h.pending:
        return h
    return max(h.transitions.card_uses(h, (), False, True, True, -math.inf), key=lambda one: one.log_prior, default=h)


def over_lines(explained: Moves) -> int:
    """The number of these lines that belong to players who are no longer on turn."""
    return next((i for i in range(len(explained) - 1, 0, -1) if explained[i].seat != explained[i - 1].seat), 0)
