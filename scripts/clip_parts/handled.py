"""Clips of what players do with dice between rolls: hold them in an open hand, turn one over, line them up; and of a
table seen from the side, where near dice are larger."""

from __future__ import annotations

from scripts.clip_parts.scenes import Scene, on_table

IN_LINE = 1.0, 1.15  # die widths from one of a line to the next: the wider ones touch
NEAR = 1.4, 2.2  # times as large as at the farther edge of the picture a die is at the near one


@on_table
def palmed(scene: Scene) -> None:
    """One die is set aside, the others are held before the camera in an open hand, and thrown again."""
    play, chance = scene.play, scene.chance
    dice = scene.throw_some(4)
    scene.pause(0.8, 1.6)
    play.set_aside(dice[0], 0)
    for die in dice[1:]:
        play.take(die)
    held = [scene.again(die) for die in dice[1:]]
    play.show_in_hand(dice[1:], held, float(chance.uniform(0.5, 2.5)))
    play.leave()
    play.put_away(held)
    play.rest(0.4)
    scene.throw_again(dice[1:])
    play.rest(1.6)


@on_table
def turned(scene: Scene) -> None:
    """Two dice of a throw are turned by hand to show something else; nothing is thrown again."""
    play = scene.play
    dice = scene.throw_some()
    for die in dice[:2]:
        scene.pause(0.6, 1.4)
        play.turn_over(die, scene.again(die))
        play.leave()
    play.rest(1.6)


@on_table
def lined_up(scene: Scene) -> None:
    """Dice set aside are put side by side, so that they touch or nearly do; the others are thrown again, twice."""
    play, chance = scene.play, scene.chance
    play.in_line = float(chance.uniform(*IN_LINE))
    play.rest(0.4)
    dice = scene.some_dice(least=5)
    place = 0
    while True:
        play.throw(dice)
        scene.pause(0.6, 1.4)
        if place >= 4 or len(dice) < 3:
            break
        keep = dice[:2]
        for die in keep:
            play.set_aside(die, place)
            place += 1
        play.leave()
        scene.pause(0.6, 1.4)
        play.gather(dice[2:])
        play.rest(0.3)
        dice = [scene.again(die) for die in dice[2:]]
    play.rest(0.8)


@on_table
def slanted(scene: Scene) -> None:
    """The table seen from the side: the nearer, the larger is a die. Two throws, one die set aside between them."""
    play, chance = scene.play, scene.chance
    play.near = float(chance.uniform(*NEAR))
    scene.throw_all_but_one_again()
    scene.words += f", near dice {play.near:.1f} times as large"


@on_table
def huddled(scene: Scene) -> None:
    """Dice come to rest against each other; one is set aside, the others are rolled again and huddle again."""
    play = scene.play
    play.huddle = 0.6
    scene.throw_all_but_one_again()


@on_table
def reached_over(scene: Scene) -> None:
    """A hand reaches three times across dice that lie still, for a glass or a card, and touches none."""
    play, chance = scene.play, scene.chance
    dice = scene.throw_some()
    for _ in range(3):
        scene.pause(0.5, 1.4)
        play.pose, play.pace = str(chance.choice(["pinch", "flat"])), float(chance.uniform(0.7, 2.0))
        leg = dice[int(chance.integers(len(dice)))].leg(play.clock)
        far, aside = chance.uniform(0.0, 4.0), chance.uniform(-1.5, 1.5)
        across, along = play.away(float(aside), -float(far))
        play.hover(leg.x + across, leg.y + along, float(chance.uniform(0.1, 0.8)))
        play.leave()
    play.rest(1.6)


@on_table
def pushed(scene: Scene) -> None:
    """A finger pushes three of the dice that lie there elsewhere: they show what they showed, and none is thrown."""
    play, chance = scene.play, scene.chance
    dice = scene.throw_some()
    scene.pause(0.6, 1.4)
    for die in dice[:3]:
        play.push(die)
        if chance.random() < 0.5:
            play.leave()
            scene.pause(0.4, 1.0)
    play.leave()
    play.rest(1.6)


HANDLED = (palmed, turned, lined_up, slanted, huddled, reached_over, pushed)
