"""A whole game in front of one camera: dice rolled by physics in a tray, cards taken from the display and placed in
tableaux.

Nothing is entered by hand. A buyer places the card in front of them, a user of a card turns it before its dice are
turned, added or rolled, and a player who passes takes the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.krone.state import State
from tests.kit.card_film import CardFilm, CardsOnTable
from tests.kit.card_games import STILL, CardPlayers, Shot, payable
from tests.kit.dice import Picture
from tests.kit.script import Enter, Step, Wait, steps
from tests.kit.setting import Setting
from tests.kit.simulated_table import simulate

Turns = Sequence[tuple[State, list[str]]]
Moments = Sequence[tuple[float, str]]


def filmed(turns: Turns, film: CardFilm, setting: Setting, seed: int, fps: int) -> Iterator[Picture]:
    """The frames of a game, (720, 1280, 3) BGR; `setting` is that of the tray, 640×480."""
    people = card_players_of(film, turns[0][0])
    buys = iter([payable(state, lines) for state, lines in turns if lines[-1].split()[1] == "buy"])
    for frame, truth in simulate(script(turns), seed=seed, setting=setting, fps=fps):
        people.dice = frame.image
        for line in truth.entered:
            if line.split()[1] == "buy":
                people.payable = next(buys)
            for shot in done(people, line):
                yield from [shot.image] * round(STILL * fps)
        yield film.frame(people.table, dice=frame.image)


def card_players_of(film: CardFilm, begun: State) -> CardPlayers:
    """The players of a game in this state."""
    tableaux = {seat: list(begun.tableau(seat)) for seat in begun.seats}
    for_sale = {kind: count for kind, count in begun.display.items() if count}
    taken = sum(cards.count("fool") + cards.count("charlatan") for cards in tableaux.values())
    if taken < len(begun.seats):
        for_sale["fool"] = len(begun.seats) - taken
    return CardPlayers(film, CardsOnTable(for_sale, tableaux))


def beside(film: CardFilm, begun: State, moments: Moments, seconds: float) -> Iterator[Picture]:
    """The frames of a second camera that sees only the cards, one every STILL seconds.

    Args:
        moments: Seconds and line of each purchase, pass and use.
        seconds: Length of the film.
    """
    people = card_players_of(film, begun)
    for when, line in [*moments, (seconds, "")]:
        while people.clock < when:
            yield from (shot.image for shot in people.still(1))
        if line:
            yield from (shot.image for shot in done(people, line.replace(" use ", " turn ")))


def done(people: CardPlayers, line: str) -> Iterator[Shot]:
    """Performs the players' actions with cards for a line of the script."""
    seat, verb, *words = line.split()
    if verb == "turn":
        yield from people.turn_across(seat, words[0])
        return
    if verb == "buy":
        yield from people.buy(line)
    yield from people.end(seat)


def script(turns: Turns) -> list[Step]:
    """The actions with dice, and the times at which cards are turned or taken."""
    lines: list[str] = [line for _, lines in turns for line in lines]
    done: list[Step] = [Wait(seconds=3.0)]
    for step in steps("\n".join(lines)):
        words = [] if step.line is None else step.line.split()
        if len(words) > 2 and words[1] == "use":
            done.append(Enter(seat=step.seat, line=f"{step.seat} turn {words[2]}"))
        done.append(step)
    return [*done, Wait(seconds=3.0)]
