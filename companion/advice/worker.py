"""The adviser's thread: thinks about each new position; a newer one interrupts it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.advice.chances import Chances
from companion.advice.worth import knatsch_worth, worth_table
from companion.game.broadcast import Broadcast
from companion.game.changes import Sentence
from engine.advice import knatsch_why
from engine.advice.actions import Action
from engine.advice.advise import advise
from engine.advice.goals import GOALS
from engine.advice.kernel import Expired
from engine.advice.knatsch_advise import advise as knatsch_advise
from engine.advice.knatsch_words import remarks as knatsch_remarks
from engine.advice.odds import BEAT, odds
from engine.advice.position import Position
from engine.advice.tables import MOST_CELLS, QUICK_CELLS
from engine.advice.why import aim, prepared, reasons, why_not
from engine.advice.winning import sharpened, threshold_for, win_chances
from engine.advice.words import AT_LEAST, Remark, remarks
from engine.errors import Illegal
from engine.knatsch.state import State as KnatschState
from engine.krone.events import Keep
from engine.krone.rules import play
from engine.krone.state import State, for_sale

_SECONDS = 5.0  # no position is thought about for longer


class Adviser:
    """Advises on the running game until `broadcast` closes.

    Args:
        broadcast: says when the board may have changed.
        position: the position of now, None without a game.
        advise: is given a position and what is known of it, more than once while more is found out.
    """

    def __init__(
        self, broadcast: Broadcast, position: Callable[[], Any], advise: Callable[[Any, Chances], None]
    ) -> None:
        self._broadcast, self._position, self._advise = broadcast, position, advise
        self._pool = ThreadPoolExecutor(2, "odds")
        self._thread = threading.Thread(target=self._run, name="adviser", daemon=True)

    def start(self) -> None:
        """Begin to think."""
        self._thread.start()

    def _run(self) -> None:
        thought_about: Any = None
        edition = None
        think: dict[str, Callable[[Any], Iterator[Chances]]] = {"krone": self._think, "knatsch": _think_of_knatsch}
        while not self._broadcast.closed:
            edition = self._broadcast.after(edition, timeout=1.0) or edition
            state = self._position()
            if state is None or state == thought_about:
                continue
            thought_about = state
            for chances in think[state.GAME](state):
                self._advise(state, chances)

    def _think(self, state: State) -> Iterator[Chances]:
        """What is known of a position, more and more of it: the odds, then what to do. Nothing more once it changed."""
        if state.finished:
            yield Chances()
            return
        until = time.monotonic() + _SECONDS

        def expired() -> bool:
            return time.monotonic() > until or self._position() != state

        known: Chances | None = None
        try:
            for known in self._thoughts(state, expired, MOST_CELLS):
                yield known
        except Expired:
            if self._position() != state:
                return
            until = time.monotonic() + _SECONDS  # too many cards to go through all of them: those that matter most
            with suppress(Expired):
                for hurried in self._thoughts(state, expired, QUICK_CELLS):
                    yield replace(hurried, cards=known.cards, beat=known.beat) if known else hurried
        except Illegal:
            return  # a die lies there that has not been read yet

    def _thoughts(self, state: State, expired: Callable[[], bool], most_cells: float) -> Iterator[Chances]:
        threshold = threshold_for(state, state.seat) if state.final else None
        goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
        position = Position.of(state)
        found = odds(position, goals, threshold, expired=expired, mapped=self._pool.map, most_cells=most_cells)
        beat = found.pop(BEAT, None)
        at_least = [Remark(AT_LEAST)] if any(chance.method != "exact" for chance in found.values()) else []
        first = Chances({goal: chance.p for goal, chance in found.items()}, beat=None if beat is None else beat.p)
        yield first
        advice = advise(state, worth_table(), expired=expired, most_cells=most_cells)
        chances = sharpened(
            win_chances(state, worth_table(), expired), state.seats.index(state.seat), advice.turn_worth
        )
        best = advice.best
        bought = advice.purchases[0].card if advice.purchases else None
        ahead = prepared(state, bought, expired) if bought not in (None, "king") else None
        aimed = aim(advice, _chances_after(state, best, first.cards, goals, expired))
        yield replace(
            first,
            wins=dict(zip(state.seats, chances, strict=True)),
            set_aside=best.dice if best is not None and best.do == "keep" else (),
            advice=_sentences((*remarks(advice), *([aimed] if aimed else []), *reasons(advice, ahead), *at_least)),
            why_not=_sentences(why_not(advice, first.cards)),
        )


def _chances_after(
    state: State, best: Action | None, now: Mapping[str, float], goals: Sequence[str], expired: Callable[[], bool]
) -> Mapping[str, float]:
    """The chances to get each card once the advised dice are set aside; of `now` where the advice is another step."""
    if best is None or best.do != "keep":
        return now
    position = Position.of(play(state, state.seat, Keep(tuple(sorted(best.dice)))))
    try:
        found = odds(position, goals, expired=expired, most_cells=QUICK_CELLS)
    except Expired:
        return {}  # the advice stands without its reason
    return {goal: chance.p for goal, chance in found.items()}


def _sentences(said: Iterable[Remark]) -> tuple[Sentence, ...]:
    return tuple(Sentence(remark.template, remark.values) for remark in said)


def _think_of_knatsch(state: KnatschState) -> Iterator[Chances]:
    """The same for Knatsch, which takes no long thought. The chance of every target stands on the board itself."""
    worth = knatsch_worth()
    wins = dict(zip(state.seats, worth.of(state), strict=True))
    counsel = None if state.finished else knatsch_advise(state, worth)
    if counsel is None:
        yield Chances(wins=wins)
        return
    said = (*knatsch_remarks(state, counsel), *knatsch_why.reasons(state, counsel, worth))
    others = knatsch_why.why_not(state, counsel, worth)
    yield Chances(wins=wins, advice=_sentences(said), why_not=_sentences(others))
