"""Processor time of the advice for positions from games, by phase and number of cards.

Caches are cleared before every position, the worst case for a page: within a turn, values of purchases and challenges
are cached.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from companion.games.krone.advice import value_function
from engine.krone.advice.advise import advise
from engine.krone.advice.goals import GOALS
from engine.krone.advice.odds import odds
from engine.krone.advice.reach import clear_cache
from engine.krone.advice.turn_position import Position
from engine.krone.advice.winning import threshold_for, win_chances
from engine.krone.events import Event
from engine.krone.position import position_text, read_position
from engine.krone.state import RULESETS, State, for_sale, new_game
from tests.kit.matches.krone_players import Advised, play_game
from tests.kit.matches.match import dice_roller
from tests.kit.matches.parallel_games import in_parallel

PHASES = ("normal", "claim", "final")
MANY = 9  # number of cards in a tableau up to which the targets apply
TARGET_P95, TARGET_WORST = 150, 1000
_POSITIONS_PER_GAME = 100  # approximate
_POOL = ThreadPoolExecutor(2)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the fastest of several runs, in wall time and processor time."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} ms ({self.processor:.1f} ms of processor time)"


def fastest(times: int, work: Callable[[], object]) -> Timing:
    """Runs the work this many times and returns the fastest run."""
    found: list[tuple[float, float]] = []
    for _ in range(times):
        wall, processor = perf_counter(), process_time()
        work()
        found.append(((perf_counter() - wall) * 1000, (process_time() - processor) * 1000))
    return Timing(min(wall for wall, _ in found), min(processor for _, processor in found))


def phase(state: State) -> str:
    """normal, claim (the King is taken and the round is being finished) or final."""
    return "final" if state.final else "normal" if state.threshold is None else "claim"


def reached(games: int, positions: int, seed: int, keep: Path | None = None) -> list[State]:
    """Positions from self-play of the advisor with two to five players.

    A third is from each phase if there are enough, drawn uniformly within the phase.
    """
    share = min(1.0, 6 * positions / (games * _POSITIONS_PER_GAME))
    file = keep / f"seed{seed}-positions{positions}.jsonl" if keep is not None else None
    kept = in_parallel(partial(_against_itself, share, seed), games, file)
    found = [read_position(line) for lines in kept for line in lines]
    pick = random.Random(seed)
    by_phase = [[state for state in found if phase(state) == name] for name in PHASES]
    return [
        state for states in by_phase for state in pick.sample(states, min(len(states), -(-positions // len(PHASES))))
    ]


def _against_itself(share: float, seed: int, number: int) -> list[str]:
    """This share of the positions before the claim, and all after it, as text."""
    pick, last, kept = random.Random(f"positions {seed}/{number}"), None, list[str]()

    def note(state: State, event: Event) -> None:
        nonlocal last
        if state != last and (state.threshold is not None or pick.random() < share):
            kept.append(position_text(state))
        last = state

    players = 2 + number % 4
    advised = [Advised(value_function())] * players
    start = new_game(players, RULESETS["amigo2006"])
    play_game(start, advised, dice_roller(random.Random(f"self-play {seed}/{number}")), note)
    return kept


@dataclass(frozen=True, slots=True)
class AdviceTiming:
    """Times for one position.

    Attributes:
        odds: Of every card for sale, which the page shows first.
        whole: These, the advice, and all win probabilities.
        exact: All odds are exact.
        widest: The widest interval of bounded odds.
    """

    phase: str
    cards: int
    odds: Timing
    whole: Timing
    exact: bool
    widest: float


def time_advice(state: State) -> AdviceTiming:
    """Computes the advice for a position as the page does."""
    clear_cache()
    goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
    threshold = threshold_for(state, state.seat) if state.final else None
    wall, processor = perf_counter(), process_time()

    def since() -> Timing:
        return Timing((perf_counter() - wall) * 1000, (process_time() - processor) * 1000)

    found = odds(Position.of(state), goals, threshold, mapped=_POOL.map)
    first = since()
    advise(state, value_function())
    win_chances(state, value_function())
    exact = all(chance.method == "exact" for chance in found.values())
    widest = max((chance.width for chance in found.values()), default=0.0)
    return AdviceTiming(phase(state), len(state.tableau(state.seat)), first, since(), exact, widest)


def table(timings: Sequence[AdviceTiming]) -> Iterator[str]:
    """Processor time by phase and by the cards of the player on turn, as a table."""
    yield "| phase | cards | positions | odds p50 | p95 | worst | all p50 | p95 | worst (ms of processor time) |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in PHASES:
        here = [one for one in timings if one.phase == name]
        for label, low, high in (("any", 0, 99), ("0–3", 0, 3), ("4–6", 4, 6), ("7–9", 7, 9), ("10 and more", 10, 99)):
            chosen = [one for one in here if low <= one.cards <= high]
            if chosen:
                times = (spread([getattr(one, kind).processor for one in chosen]) for kind in ("odds", "whole"))
                yield " | ".join([f"| {name} | {label} | {len(chosen)}", *times]) + " |"


def spread(times: Sequence[float]) -> str:
    """Median, 95th percentile and maximum, as cells of a table row."""
    rising = sorted(times)
    return f"{rising[len(rising) // 2]:.0f} | {rising[int(len(rising) * 0.95)]:.0f} | {rising[-1]:.0f}"


def report(games: int, positions: int, seed: int, keep: Path | None = None) -> Iterator[str]:
    """The lines of the benchmark about time."""
    timings = [time_advice(state) for state in reached(games, positions, seed, keep)]
    yield f"{len(timings)} positions of {games} games of the advisor against itself, nothing remembered:"
    yield from table(timings)
    usual = [one.whole.processor for one in timings if one.cards <= MANY]
    yield (
        f"up to {MANY} cards, all phases: p50 | p95 | worst: {spread(usual)} ms "
        f"(targets: p95 {TARGET_P95}, worst {TARGET_WORST})"
    )
    exact = sum(one.exact for one in timings) / max(1, len(timings))
    widest = max((one.widest for one in timings), default=0.0)
    yield f"{exact:.1%} of first answers exact (target 95 %), widest interval of the rest {widest:.2%} (target 1 %)"
