"""Positions of Krone and changed copies of them."""

from __future__ import annotations

from random import Random

from engine.dice import faces
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use

POSITIONS = {
    "the first turn": "A -; B -",
    "cards before the first roll": "A laborer guard maid fool farmer charlatan; B knight",
    "no cards before the first roll": "riogrande2007; A laborer guard maid; B -",
    "a throw with nothing set aside yet": "A fool maid astronomer; B -; active 5 5 2; duty",
    "an unread die": "A fool merchant; B -; active 5 ?; kept ?",
    "everything set aside": "A guard fool; B laborer farmer; active -; kept 5 5 5",
    "everything set aside, playing twice": "A guard; B laborer; turn B; active -; kept 6 6 3; start A",
    "everything set aside, the box empty": "dice 3; A guard; B laborer; active -; kept 6 6 3",
    "the final round before the roll": "A king queen; B laborer; turn B; start B; threshold 7x2; final",
    "the final round after it": "A king queen; B laborer; turn B; start B; threshold 7x2; final; active -; kept 1 1 1",
    "her own final turn": "A queen farmer; B king; turn A; start B; threshold 7x2; final; active 3 1; kept 1 1",
    "a position with an open purchase": "A -; B farmer; turn B; open A 5 5 5; active 3 1; kept 1 1",
    "the game is over": "A king queen; B -; turn B; start B; threshold 7x2; final; won A",
    "five dice and every card that changes dice": (
        "dice none; A charlatan charlatan charlatan fool maid philosopher astronomer merchant noblewoman magician "
        "alchemist nobleman; B -; display fool 0; active 6 4 3 3 1; kept 5"
    ),
    "five dice before setting aside": (
        "A fool farmer maid philosopher laborer guard alchemist noblewoman bishop; B -; used laborer; "
        "active 6 5 5 2 1; duty"
    ),
}  # fmt: skip


def mutated(random: Random, seat: str, event: Event) -> tuple[str, Event]:
    """The move with one field changed, or another random move."""

    def dice(given: tuple[int, ...]) -> tuple[int, ...]:
        changed = list(given)
        what = random.choice(("value", "more", "fewer"))
        if what == "more" or not changed:
            changed.append(random.randint(0, 6))
        elif what == "fewer":
            changed.remove(random.choice(changed))
        else:
            changed[random.randrange(len(changed))] = random.randint(0, 6)
        return faces(changed)

    if random.random() < 0.1:
        return random.choice("ABCDE"), event
    if random.random() < 0.1:
        return seat, random.choice((Pass(), Buy(random.choice(list(CARDS)))))
    match event:
        case Roll(thrown):
            return seat, random.choice((Roll, Keep))(dice(thrown))
        case Keep(kept):
            return seat, random.choice((Roll, Keep))(dice(kept))
        case Use(card, before, after_):
            return seat, random.choice(
                [
                    Use(random.choice(list(CARDS)), before, after_),
                    Use(card, dice(before), after_),
                    Use(card, before, dice(after_)),
                ]
            )
    return seat, Buy(random.choice(list(CARDS)))
