"""`courtside odds krone`: the odds of a turn, from its dice and cards."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter
from typing import Any

import click

from companion.cli_errors import CliError
from companion.cli_text import dice_option
from engine.dice import dice_text
from engine.errors import CourtsideError, Unreadable
from engine.krone.advice.actions import Action
from engine.krone.advice.goals import GOALS, Threshold
from engine.krone.advice.odds import ALL_CELLS, Answer, answers
from engine.krone.advice.turn_position import Position, checked
from engine.krone.names import read_card
from engine.krone.state import RULESETS


@click.command("krone")
@click.option("--cards", default="", help="All cards of the player: laborer,guard,fool.")
@click.option("--used", default="", help="Cards already used this turn.")
@click.option("--active", default="", help="The active dice after a roll: 5,3,3.")
@click.option("--kept", default="", help="The dice set aside. Without active and kept dice, the turn has not started.")
@click.option("--duty-met", is_flag=True, help="A die has been set aside since the last roll.")
@click.option("--ruleset", type=click.Choice(tuple(RULESETS)), default="amigo2006", show_default=True)
@click.option("--supply", default="12", show_default=True, help="Dice in the box, or `none` for no limit.")
@click.option("--goal", "goals", multiple=True, help="A card to aim for; can be repeated. Default: all cards.")
@click.option(
    "--beat",
    default=None,
    help="The result to beat in the final round, such as 7x2 for seven 2s.",
)
@click.option("--equal", is_flag=True, help="An equal result is enough (for the Queen's owner).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    cards: str,
    used: str,
    active: str,
    kept: str,
    duty_met: bool,
    ruleset: str,
    supply: str,
    goals: tuple[str, ...],
    beat: str | None,
    equal: bool,
    as_json: bool,
) -> None:
    """Print the odds of a turn of To Court the King.

    Prints the chance to get each card this turn with best play, and what to do next. Chances are exact, except for
    turns with so many cards that checking all sets of them would take minutes. Such a chance is called sampled: low
    (and p) is the exact chance of best play without some of the cards, high is an upper bound.

    A card that the player already has is marked as owned. Its chance shows what the dice can pay for, but a player
    cannot take a card twice.

    Exit status 2 when the options contradict each other or the rules.
    """
    try:
        rules = replace(RULESETS[ruleset], dice=_supply(supply))
        position = checked(_cards(cards), rules, _cards(used), dice_option(active), dice_option(kept), duty_met)
        threshold = _threshold(beat, equal)
        aims = tuple(dict.fromkeys(_goal(name) for name in goals)) or (() if threshold else tuple(GOALS))
    except CourtsideError as error:
        raise CliError(f"{error}.") from None
    started = perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = answers(position, aims, threshold, fractions=True, mapped=pool.map, all_cells=ALL_CELLS)
    milliseconds = (perf_counter() - started) * 1000
    click.echo(
        json.dumps(_summary(position, found, milliseconds)) if as_json else _readable(position, found, milliseconds)
    )


def _summary(position: Position, found: dict[str, Answer], milliseconds: float) -> dict[str, Any]:
    """JSON data for other programs; `owned` is present only for a card that the player cannot buy again."""
    odds = {}
    for goal, answer in found.items():
        chance = answer.chance
        fraction = None if chance.fraction is None else f"{chance.fraction.numerator}/{chance.fraction.denominator}"
        odds[goal] = {
            "p": chance.p,
            "fraction": fraction,
            "method": chance.method,
            "low": chance.low,
            "high": chance.high,
        } | ({"owned": True} if goal in position.cards else {})
    best = {goal: _action(answer.best) for goal, answer in found.items()}
    return {"odds": odds, "best": best, "milliseconds": round(milliseconds, 3)}


def _action(action: Action) -> dict[str, Any]:
    """An action with dice in descending order, as in records."""
    if action.do == "keep":
        return {"do": "keep", "dice": list(reversed(action.dice))}
    if action.do == "use":
        to = list(reversed(action.to))
        return {"do": "use", "card": action.card, "dice": list(reversed(action.dice)), "to": to}
    return {"do": action.do}


def _readable(position: Position, found: dict[str, Answer], milliseconds: float) -> str:
    """The odds as text for people: one line per goal with what to do next, and the exact fraction if it is short."""
    lines = [f"{'':12} {'chance':>9}  {'next':34} exactly"]
    for goal, answer in found.items():
        chance = answer.chance
        owned = "  (owned)" if goal in position.cards else ""
        if chance.high == 0:
            lines.append(f"{goal:12} {'–':>9}  out of reach{owned}")
            continue
        exact = str(chance.fraction or "")
        if chance.method == "sampled":
            exact = f"between {chance.low:.2%} and {chance.high:.2%}"
        elif exact == "1" or len(exact) > 25:
            exact = "certain" if exact == "1" else ""
        lines.append(f"{goal:12} {chance.p:9.3%}  {_sentence(position, answer.best):34} {exact}".rstrip() + owned)
    return "\n".join([*lines, f"{milliseconds:.0f} ms"])


def _sentence(position: Position, action: Action) -> str:
    match action.do:
        case "keep":
            return f"set aside {dice_text(action.dice)}"
        case "roll":
            return f"roll {position.hand or len(position.active)} dice"
        case "stop":
            return "stop rolling"
    change = f" on {dice_text(action.dice)}" if action.dice else ""
    return f"use {action.card}{change}" + (f" > {dice_text(action.to)}" if action.to else "")


def _cards(text: str) -> tuple[str, ...]:
    return tuple(read_card(word.strip()) for word in text.split(",") if word.strip())


def _goal(name: str) -> str:
    card = read_card(name)
    if card not in GOALS:
        raise Unreadable("the {card} cannot be a goal. Choose one of {goals}", card=card, goals=", ".join(GOALS))
    return card


def _supply(text: str) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isascii() or not text.isdigit() or not 3 <= int(text) <= 99:
        raise Unreadable("the dice supply must be a number of at least 3, or none, not “{text}”", text=text)
    return int(text)


def _threshold(text: str | None, equal: bool) -> Threshold | None:
    if text is None:
        if equal:
            raise Unreadable("--equal needs --beat")
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[x×]([1-6])", text.strip().lower())
    if found is None:
        raise Unreadable("write the result to beat like 7x2 for seven 2s, not “{text}”", text=text)
    return Threshold(int(found[1]), int(found[2]), equal)
