"""Clips of players handling dice between rolls, and of a table seen from the side."""

from __future__ import annotations

from scripts.clip_parts.scenes import ClipScene, on_table

IN_LINE = 1.0, 1.15  # die widths between neighbours in a row: dice that are wider touch
NEAR = 1.4, 2.2  # size ratio of a die at the near edge to one at the far edge


@on_table
def palmed(scene: ClipScene) -> None:
    """One die is set aside; the others are shown to the camera in an open hand and rerolled."""
    play, chance = scene.play, scene.chance
    dice = scene.roll_some(4)
    scene.pause(0.8, 1.6)
    play.set_aside(dice[0], 0)
    for die in dice[1:]:
        play.take(die)
    held = [scene.again(die) for die in dice[1:]]
    play.show_in_hand(dice[1:], held, float(chance.uniform(0.5, 2.5)))
    play.leave()
    play.put_away(held)
    play.rest(0.4)
    scene.reroll(dice[1:])
    play.rest(1.6)


@on_table
def turned(scene: ClipScene) -> None:
    """Two dice are turned by hand to another value; nothing is rerolled."""
    play = scene.play
    dice = scene.roll_some()
    for die in dice[:2]:
        scene.pause(0.6, 1.4)
        play.turn_over(die, scene.again(die))
        play.leave()
    play.rest(1.6)


@on_table
def lined_up(scene: ClipScene) -> None:
    """Dice are set aside side by side, touching or nearly so; the others are rerolled twice."""
    play, chance = scene.play, scene.chance
    play.in_line = float(chance.uniform(*IN_LINE))
    play.rest(0.4)
    dice = scene.some_dice(least=5)
    place = 0
    while True:
        play.roll(dice)
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
def slanted(scene: ClipScene) -> None:
    """The table is seen from the side, so near dice are larger; one die is set aside and the others are rerolled."""
    play, chance = scene.play, scene.chance
    play.near = float(chance.uniform(*NEAR))
    scene.reroll_all_but_one()
    scene.words += f", near dice {play.near:.1f} times as large"


@on_table
def huddled(scene: ClipScene) -> None:
    """Dice come to rest against each other; one is set aside and the others are rerolled."""
    play = scene.play
    play.huddle = 0.6
    scene.reroll_all_but_one()


@on_table
def reached_over(scene: ClipScene) -> None:
    """A hand reaches over resting dice three times, as for a glass or a card, without touching any."""
    play, chance = scene.play, scene.chance
    dice = scene.roll_some()
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
def pushed(scene: ClipScene) -> None:
    """A finger pushes three resting dice to other places; their values stay and nothing is rolled."""
    play, chance = scene.play, scene.chance
    dice = scene.roll_some()
    scene.pause(0.6, 1.4)
    for die in dice[:3]:
        play.push(die)
        if chance.random() < 0.5:
            play.leave()
            scene.pause(0.4, 1.0)
    play.leave()
    play.rest(1.6)


HANDLED = (palmed, turned, lined_up, slanted, huddled, reached_over, pushed)
