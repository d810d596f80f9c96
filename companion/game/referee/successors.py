"""What can have happened between two scenes, whatever the game.

Between two settled moments hands may have put dice elsewhere, turned some or laid some down, and then dice may have
been thrown, by who threw before or by somebody who begins. Everything is tried that the rules allow and vision does not
rule out; each way is a hypothesis more, with its log chance. What the game adds is said by its `Habits`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from companion.game.referee.association import (
    Match,
    Rolled,
    lies_alone,
    matches,
    not_played,
    rolled,
    thrown_sets,
    with_throw,
)
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Scene
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.suspension import resumptions, suspensions
from engine.dice import UNREAD

MOST_IDLE = 2  # dice none of the game that come to light with a throw


def successors(h: Hypothesis, scene: Scene, before: Scene | None, worth: Callable[[], float]) -> Iterator[Hypothesis]:
    """Every way on from this hypothesis to what the next scene shows, down to the log chance that is `worth` a look
    then."""
    least = worth()
    if least > 0.0:
        return
    h = h.but(step=0.0, habit=0.0)
    yield from suspensions(h, scene, before)
    for one in resumptions(h, scene, before) if h.suspended else (h,):
        yield from _played(one, scene, before, worth)


def _played(h: Hypothesis, scene: Scene, before: Scene | None, worth: Callable[[], float]) -> Iterator[Hypothesis]:
    """Every way on in which the game goes on."""
    h = h.but(throws=before.throws if h.throws is None and before is not None else h.throws)
    entries = [entry for entry in scene.entries if entry.lie not in h.idle]
    if not entries and not scene.whole:
        yield h
        return
    if not entries:
        dice = tuple(die._replace(seen=False) for die in h.dice)
        empty = h.but(dice=dice, cleared=True, throws=scene.throws)
        yield from (empty,) if h.cleared else h.habits.taken_up(empty)
        return
    if h.throws is None and scene.whole:  # all may have lain there before the first look
        idle = h.idle.union(entry.lie for entry in entries)
        cost = together([not_played(h, entry.lie, ()) for entry in entries])
        yield h.at(cost).but(idle=idle, throws=scene.throws)
    yield from _ways(h, entries, scene, before, worth)
    lies = {die.lie.number: die for die in h.dice if die.lie is not None}
    if all(entry.lie.number in lies for entry in entries):
        return
    movable = {number for number, die in lies.items() if die.zone is Zone.ACTIVE}
    told = frozenset[int]()
    # What nobody sees may be gone: all that is so doubtful.
    for cost in (PRIORS.long_hidden, PRIORS.lingers, PRIORS.hidden):
        doubtful = frozenset(e.lie.number for e in entries if e.gone >= cost and e.lie.number in movable)
        if doubtful != told:
            dice = tuple(d._replace(seen=False, out=cost) if d.lie and d.lie.number in doubtful else d for d in h.dice)
            others = [e for e in entries if e.lie.number not in doubtful]
            for one in _ways(h.but(dice=dice).at(together([cost] * len(doubtful))), others, scene, before, worth):
                lost = {e.lie for e in entries if e.lie.number in doubtful}.difference(d.lie for d in one.dice)
                yield one.but(idle=one.idle | lost)
        told = doubtful


def _ways(
    h: Hypothesis, entries: Sequence[Entry], scene: Scene, before: Scene | None, worth: Callable[[], float]
) -> Iterator[Hypothesis]:
    """Every way on to these entries of the scene."""
    least = worth()
    if h.step < least:
        return
    odds = with_throw([rolled(entry, scene, before) for entry in entries])
    odds = [_first_sight(h, one) for one in odds]
    loose = _moved_idle(h, scene, before)
    due = _untold(h, scene)
    known = {die.lie for die in h.dice if die.lie is not None} | h.idle
    for thrown, left, cost in thrown_sets(odds, _suggested(h, entries), least, 1.0 if due is None else due):
        least = worth()
        if cost < least:
            break
        cost -= PRIORS.unnoticed * min(0.0, due or 0.0)
        if not thrown:
            cost += PRIORS.seemed_thrown * min(1.0, max(0.0, due or 0.0))
            for one in by_hand(h.at(cost), left, scene, False, least - cost, loose):
                yield one.but(cleared=False, throws=scene.throws if scene.whole else h.throws)
            continue
        begun = h.at(cost).but(throws=scene.throws if scene.whole else None if h.throws is None else h.throws + 1)
        late = tuple(entry for entry in left if entry.lie not in known)
        for laid in dict.fromkeys(((), late)):  # dice that a card has laid down since the throw
            others = [entry for entry in left if entry not in laid]
            for one in _thrown(begun, thrown, others, scene, least - cost, loose):
                yield from _laid(one, laid, scene, least)


def _thrown(
    h: Hypothesis, thrown: Sequence[Entry], left: Sequence[Entry], scene: Scene, least: float, idle: frozenset[int]
) -> Iterator[Hypothesis]:
    """These were thrown and those left, as hands had put them; idle: what dice show that are not played."""
    if h.habits.throwing(h):
        for one in by_hand(h, left, scene, True, least, idle):
            if h.habits.throwing(one):  # a die of it may turn out to show something else
                yield from h.habits.same_turn(one, thrown, scene, h.step + least)
    if len(left) <= MOST_IDLE:
        cost = sum(not_played(h, entry.lie, idle) for entry in left)
        # Where such a die has been taken up another may come to lie.
        idle_here = h.idle if not scene.whole else (lie for lie in h.idle if lie.number in scene.numbers)
        others = h.at(cost).but(idle=frozenset((*idle_here, *(entry.lie for entry in left))))
        yield from h.habits.next_turn(others, thrown, scene, h.step + least)


def _laid(h: Hypothesis, laid: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """After the throw cards have laid down these."""
    if not laid:
        yield h
    elif h.habits.added(h):
        for chosen, _ in matches(h, laid, (), {}, scene, {}, least - h.step, frozenset()):
            if all(match.die == -1 for match in chosen):
                yield from _matched(h.at(sum(match.cost for match in chosen)), chosen, True, False, least)


def _untold(h: Hypothesis, scene: Scene) -> float | None:
    """So many throws does vision expect that this history has not told yet; None where that is not known."""
    return None if h.throws is None or scene.throws is None else scene.throws - h.throws


def _first_sight(h: Hypothesis, one: Rolled) -> Rolled:
    """Dice of the record that nobody has seen yet may be those that seem to have just rolled."""
    if one.left < 0 and any(die.lie is None and not h.links[die.var] for die in h.dice):
        return Rolled(one.entry, one.thrown, 0.0, one.unseen)
    return one


def _suggested(h: Hypothesis, entries: Sequence[Entry]) -> Iterator[frozenset[int]]:
    """Sets of lies that a roll would have thrown."""
    yield frozenset(entry.lie.number for entry in entries)
    yield frozenset(entry.lie.number for entry in entries if not entry.kept)
    aside = {die.lie.number for die in h.dice if die.lie is not None and die.zone is not Zone.ACTIVE}
    yield frozenset(entry.lie.number for entry in entries if entry.lie.number not in aside)
    lay = {die.lie.number for die in h.dice if die.lie is not None}
    new = [entry.lie for entry in entries if entry.lie.number not in lay]
    yield frozenset(lie.number for lie in new)
    there = {entry.lie.number for entry in entries}
    gone = Counter(h.faces[die.var] for die in h.dice if die.lie is None or die.lie.number not in there)
    thrown = []  # those that show something that none of the dice put elsewhere showed
    for lie in new:
        gone[lie.value] -= 1
        thrown += [lie.number] if gone[lie.value] < 0 else []
    yield frozenset(thrown)


# What hands did


def _moved_idle(h: Hypothesis, scene: Scene, before: Scene | None) -> frozenset[int]:
    """Between turns: what dice show that are not played and lie no longer where they lay, but may lie elsewhere."""
    lay = () if before is None or h.habits.throwing(h) else before.entries
    return frozenset(e.lie.value for e in lay if e.lie in h.idle and e.lie.number not in scene.numbers)


def by_hand(
    h: Hypothesis,
    left: Sequence[Entry],
    scene: Scene,
    throwing: bool,
    least: float,
    idle: frozenset[int],
) -> Iterator[Hypothesis]:
    """What hands have done to the dice not thrown. throwing: some of the others were thrown after that; idle: what
    dice show that are not played and have been taken up."""
    places = {die.lie.number: place for place, die in enumerate(h.dice) if die.lie is not None}
    dice, new, stale = list(h.dice), [], dict[int, float]()
    for entry in left:
        place = places.get(entry.lie.number)
        if place is None:
            if entry.lie not in h.idle:
                new.append(entry)
            continue
        if entry.gone > -math.inf:
            stale[place] = entry.gone
        zone = dice[place].zone
        if scene.knows_row and zone is not Zone.KEPT:
            zone = Zone.ASIDE if entry.kept else Zone.ACTIVE
        dice[place] = dice[place]._replace(seen=True, zone=zone, out=0.0)
    here = {entry.lie.number for entry in left}
    gone = [place for place, die in enumerate(dice) if die.lie is None or die.lie.number not in here]
    new.sort(key=lambda entry: entry.lie.track)  # what lay there first was laid down first
    hidden = 0.0 if throwing else scene.hidden
    owed = {place: hidden - dice[place].out for place in gone if _looked_for(dice[place], scene, hidden)}
    for chosen, unseen in matches(h.but(dice=tuple(dice)), new, gone, stale, scene, owed, least, idle):
        found = {match.die for match in chosen}
        left_behind = {die.lie for die in (dice[place] for place in found.intersection(stale)) if die.lie}
        one = h.at(unseen + sum(match.cost for match in chosen))
        after = tuple(
            die._replace(seen=False, out=die.out + owed.get(place, 0.0))
            if place in gone and place not in found
            else die
            for place, die in enumerate(dice)
        )
        moved_aside = any(match.zone is Zone.ASIDE and not match.turned for match in chosen)
        one = one.but(dice=after, idle=h.idle | left_behind)
        yield from _matched(one, chosen, throwing, moved_aside, least)


def _looked_for(die: Die, scene: Scene, hidden: float) -> bool:
    """Whether it counts for more that this die is out of sight than was known before. hidden: log chance of a die that
    lies there not being seen in this scene."""
    return hidden < die.out and (die.lie is None or die.lie.number not in scene.numbers)


def _matched(
    h: Hypothesis, chosen: Sequence[Match], throwing: bool, moved_aside: bool, least: float
) -> Iterator[Hypothesis]:
    added: list[int] = []
    dice, faces, links = list(h.dice), list(h.faces), list(h.links)
    pending, idle, reread = list(h.pending), set(h.idle), False
    for match in chosen:
        lie = match.entry.lie
        if match.die == -2:
            idle.add(lie)
        elif match.die == -1 or match.turned:
            name = len(faces)
            faces.append(match.face)
            links.append((lie,))
            if match.turned:
                was = dice[match.die].var
                reread = reread or faces[was] != match.was
                faces[was] = match.was
                dice[match.die] = Die(name, match.zone, lie, True)
                first = next((old for old, new in pending if new == was), was)
                pending = [pair for pair in pending if pair[1] != was] + [(first, name)]
            else:
                added.append(name)
                dice.append(Die(name, match.zone, lie, True))
        else:
            die = dice[match.die]
            if faces[die.var] != match.face:
                reread = True
                faces[die.var] = match.face
            links[die.var] = (*links[die.var], lie)
            dice[match.die] = Die(die.var, match.zone, lie, True)
    one = h.but(dice=tuple(dice), faces=tuple(faces), links=tuple(links), pending=tuple(pending), idle=frozenset(idle))
    again = one.replayed() if reread else one
    if again is None:
        return
    yield from h.habits.by_hand(again, added, throwing, moved_aside, len(again.pending) > len(h.pending), least)


def landed(
    h: Hypothesis, thrown: Sequence[Entry], hidden: int, scene: Scene
) -> tuple[Hypothesis, tuple[int, ...], list[Die]]:
    """Variables for dice thrown, and the dice."""
    names, dice, late = [], [], False
    for entry in thrown:
        h, name = h.with_variable(entry.lie.value, entry.lie)
        aside = scene.knows_row and entry.kept
        late = late or aside
        names.append(name)
        dice.append(Die(name, Zone.ASIDE if aside else Zone.ACTIVE, entry.lie, True))
    for _ in range(hidden):
        h, name = h.with_variable(UNREAD, None)
        names.append(name)
        dice.append(Die(name, Zone.ACTIVE, out=scene.hidden))
    unseen = together([scene.hidden] * hidden)  # one hand hides many
    return h.at(unseen + (PRIORS.seen_late if late else 0.0)), tuple(names), dice


def rolled_there(h: Hypothesis, thrown: Sequence[Entry]) -> float:
    """Log chance of a single die having been thrown to where it lies: elsewhere than those set aside."""
    row = any(die.zone is not Zone.ACTIVE and die.seen for die in h.dice)
    if len(thrown) != 1 or not row or lies_alone(h, thrown[0].lie):
        return 0.0
    return PRIORS.rolled_there
