"""Clips of what players do with dice besides throwing them: hold them in an open hand, turn one over, line them up; and
of a table seen from the side, where near dice are larger."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

from scripts.clip_parts.scenes import Made, empty_table, like_it, margin_of, some_dice, throw_all_but_one_again
from scripts.clip_parts.stock import Stock

IN_LINE = 1.0, 1.15  # die widths from one of a line to the next: the wider ones touch
NEAR = 1.4, 2.2  # times as large as at the farther edge of the picture a die is at the near one


def palmed(stock: Stock, chance: Generator, number: int) -> Made:
    """One die is set aside, the others are held before the camera in an open hand, and thrown again."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene, least=4)
    play.throw(dice)
    play.rest(float(chance.uniform(0.8, 1.6)))
    play.set_aside(dice[0], 0)
    for die in dice[1:]:
        play.take(die)
    held = [like_it(stock, chance, scene, die, play) for die in dice[1:]]
    play.show_in_hand(dice[1:], held, float(chance.uniform(0.5, 2.5)))
    play.leave()
    play.put_away(held)
    play.rest(0.4)
    play.throw([like_it(stock, chance, scene, die, play) for die in dice[1:]])
    play.rest(1.6)
    return play, ground, camera, margin_of(camera), scene


def turned(stock: Stock, chance: Generator, number: int) -> Made:
    """Two dice of a throw are turned by hand to show something else; nothing is thrown again."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene)
    play.throw(dice)
    for die in dice[:2]:
        play.rest(float(chance.uniform(0.6, 1.4)))
        play.turn_over(die, like_it(stock, chance, scene, die, play))
        play.leave()
    play.rest(1.6)
    return play, ground, camera, margin_of(camera), scene


def lined_up(stock: Stock, chance: Generator, number: int) -> Made:
    """Dice set aside are put side by side, so that they touch or nearly do; the others are thrown again, twice."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.in_line = float(chance.uniform(*IN_LINE))
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene, least=5)
    place = 0
    while True:
        play.throw(dice)
        play.rest(float(chance.uniform(0.6, 1.4)))
        if place >= 4 or len(dice) < 3:
            break
        keep = dice[:2]
        for die in keep:
            play.set_aside(die, place)
            place += 1
        play.leave()
        play.rest(float(chance.uniform(0.6, 1.4)))
        play.gather(dice[2:])
        play.rest(0.3)
        dice = [like_it(stock, chance, scene, die, play) for die in dice[2:]]
    play.rest(0.8)
    return play, ground, camera, margin_of(camera), scene


def slanted(stock: Stock, chance: Generator, number: int) -> Made:
    """The table seen from the side: the nearer, the larger is a die. Two throws, one die set aside between them."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.near = float(chance.uniform(*NEAR))
    throw_all_but_one_again(stock, play, chance, scene)
    return play, ground, camera, margin_of(camera), f"{scene}, near dice {play.near:.1f} times as large"


def huddled(stock: Stock, chance: Generator, number: int) -> Made:
    """Dice come to rest against each other; one is set aside, the others are thrown again and huddle anew."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.huddle = 0.6
    throw_all_but_one_again(stock, play, chance, scene)
    return play, ground, camera, margin_of(camera), scene


def reached_over(stock: Stock, chance: Generator, number: int) -> Made:
    """A hand reaches three times across dice that lie still, for a glass or a card, and touches none."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene)
    play.throw(dice)
    for _ in range(3):
        play.rest(float(chance.uniform(0.5, 1.4)))
        play.pose, play.pace = str(chance.choice(["pinch", "flat"])), float(chance.uniform(0.7, 2.0))
        leg = dice[int(chance.integers(len(dice)))].leg(play.clock)
        far, aside = chance.uniform(0.0, 4.0), chance.uniform(-1.5, 1.5)
        across, along = play.away(float(aside), -float(far))
        play.hover(leg.x + across, leg.y + along, float(chance.uniform(0.1, 0.8)))
        play.leave()
    play.rest(1.6)
    return play, ground, camera, margin_of(camera), scene


def pushed(stock: Stock, chance: Generator, number: int) -> Made:
    """A finger pushes three of the dice that lie there elsewhere: they show what they showed, and none is thrown."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene)
    play.throw(dice)
    play.rest(float(chance.uniform(0.6, 1.4)))
    for die in dice[:3]:
        play.push(die)
        if chance.random() < 0.5:
            play.leave()
            play.rest(float(chance.uniform(0.4, 1.0)))
    play.leave()
    play.rest(1.6)
    return play, ground, camera, margin_of(camera), scene


HANDLED: dict[str, Callable[[Stock, Generator, int], Made]] = {
    "palmed": palmed,
    "turned": turned,
    "lined up": lined_up,
    "slanted": slanted,
    "huddled": huddled,
    "reached over": reached_over,
    "pushed": pushed,
}
