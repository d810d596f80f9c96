"""`courtside odds knatsch`: the probability of beating a combination, and which dice to keep for it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any

import click

from companion.cli_errors import CliError
from companion.cli_text import dice_option
from engine.dice import Faces, dice_text
from engine.errors import CourtsideError, Unreadable
from engine.knatsch.advice.odds import Way, beat, ways_to_beat
from engine.knatsch.combination import Combination, best, read
from engine.knatsch.state import DICE, MAX_THROWS


@dataclass(frozen=True, slots=True)
class BeatAnswer:
    """The probability of beating a combination.

    Attributes:
        dice: All six; () before the first throw.
        ways: The ways to continue, best first; () without throws left or before the first throw.
    """

    target: Combination
    dice: Faces
    dice_cards: Faces
    chance: Fraction
    ways: tuple[Way, ...]
    milliseconds: float


def answered(target: str | None, throws: int | None, dice: Faces, dice_cards: Faces) -> BeatAnswer:
    """The exact answer for these options.

    Raises:
        Unreadable: They contradict each other or the rules.
    """
    if target is None or throws is None:
        raise Unreadable("add the combination to beat and the rolls left: --beat 3-3-3+2 --throws 3")
    combination = read(target)
    if len(set(dice_cards)) != len(dice_cards) or any(value > 5 for value in dice_cards):
        raise Unreadable("dice cards show 1 to 5, and a player cannot have the same one twice")
    if dice and len(dice) != DICE:
        raise Unreadable("enter all six dice, including sixes, not {n}", n=len(dice))
    if dice and not 0 <= throws < MAX_THROWS:
        raise Unreadable("with dice on the table, 0 to {most} rolls are left, not {n}", most=MAX_THROWS - 1, n=throws)
    if not dice and not 1 <= throws <= MAX_THROWS:
        raise Unreadable("there must be 1 to {most} rolls, not {n}", most=MAX_THROWS, n=throws)
    started = perf_counter()
    chance = beat(combination, throws, dice or None, dice_cards)
    ways = tuple(ways_to_beat(combination, throws, dice, dice_cards)) if dice and throws else ()
    return BeatAnswer(combination, dice, dice_cards, chance, ways, (perf_counter() - started) * 1000)


def summary(answer: BeatAnswer) -> dict[str, Any]:
    """JSON data for other programs, in the format of the other game: the only goal is `beat`."""
    chance = answer.chance
    exact = float(chance)
    odds = {
        "p": exact,
        "fraction": f"{chance.numerator}/{chance.denominator}",
        "method": "exact",
        "low": exact,
        "high": exact,
    }
    return {"odds": {"beat": odds}, "best": {"beat": _action(answer)}, "milliseconds": round(answer.milliseconds, 3)}


def readable(answer: BeatAnswer) -> str:
    """The answer as text for people: the probability, then the best ways to continue."""
    sure = {0.0: "out of reach", 1.0: "certain"}
    exact = sure.get(float(answer.chance), f"= {answer.chance}")
    lines = [f"beat {answer.target}  {float(answer.chance):.3%}  {exact}"]
    if answer.dice:
        current = best((*answer.dice, *answer.dice_cards))
        lines.append(f"on the table: {dice_text(answer.dice)}, worth {current}")
    lines += [f"  {_sentence(way):28} {way.chance:8.3%}" for way in answer.ways[:5]]
    return "\n".join([*lines, f"{answer.milliseconds:.0f} ms"])


def _action(answer: BeatAnswer) -> dict[str, Any]:
    """The next action as JSON data; keeping nothing is a keep without dice."""
    if not answer.dice:
        return {"do": "roll"}
    if not answer.ways or not answer.ways[0].thrown:
        return {"do": "stop"}
    return {"do": "keep", "dice": list(answer.ways[0].keep)}


def _sentence(way: Way) -> str:
    if not way.thrown:
        return "stop"
    kept = f"keep {' '.join(map(str, way.keep))}" if way.keep else "keep none"
    return f"{kept}, roll {way.thrown}"


@click.command("knatsch")
@click.option("--beat", "target", default=None, help="The combination to beat, such as 3-3-3+2.")
@click.option("--throws", type=int, default=None, help="Rolls left.")
@click.option("--dice", default="", help="All six dice on the table: 5,5,2,3,6,6.")
@click.option("--dice-cards", default="", help="The values of the player's dice cards: 4,2.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(target: str | None, throws: int | None, dice: str, dice_cards: str, as_json: bool) -> None:
    """Print the chance to beat a combination, and which dice to keep for it.

    Exit status 2 when the options contradict each other or the rules.
    """
    try:
        answer = answered(target, throws, dice_option(dice), dice_option(dice_cards))
    except CourtsideError as error:
        raise CliError(f"{error}.") from None
    click.echo(json.dumps(summary(answer)) if as_json else readable(answer))
