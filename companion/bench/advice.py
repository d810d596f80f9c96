"""`courtside bench advice`: how fast the odds come, and how well the advisor plays."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from types import ModuleType

from companion.advice.worth import worth_table
from companion.bench.parallel_games import side_by_side
from engine.advice.goals import GOALS
from engine.advice.odds import Chance, odds
from engine.advice.opponents import DiceFirst, OneTurnAhead
from engine.advice.players import Advised, HighestRow, Player, play_game
from engine.advice.position import Position, checked
from engine.advice.winning import threshold_for
from engine.dice import Faces
from engine.krone.events import Event
from engine.krone.position import position_text, read_position
from engine.krone.state import RULESETS, State, for_sale, new_game
from vision.dice.scoring import wilson

_POOL = ThreadPoolExecutor(2)
_POSITIONS_A_GAME = 100  # about
_AMIGO = RULESETS["amigo2006"]
SEVEN_DICE = Position.begin(("farmer", "charlatan", "general"), _AMIGO)
SIX_DICE = (
    checked(
        ("farmer", "charlatan", "charlatan", "laborer", "maid", "fool", "astronomer"), _AMIGO, (), (2, 3, 3, 5, 6), (3,)
    ),
    checked(
        ("farmer", "charlatan", "charlatan", "guard", "philosopher", "merchant", "noblewoman"),
        _AMIGO,
        (),
        (1, 3, 5, 6),
        (4, 4),
        True,
    ),
)
_FIRST_ANSWER = (
    "from engine.advice.odds import odds\nfrom engine.advice.position import Position\nodds(Position.begin(()))"
)


OPPONENTS: dict[str, Callable[[], Player]] = {
    "highest card": HighestRow,
    "dice first": DiceFirst,
    "one turn ahead": OneTurnAhead,
}


@dataclass(slots=True)
class Match:
    """Games of the advisor against one kind of opponent (a name in `OPPONENTS`) in every other seat."""

    players: int
    opponent: str = "highest card"
    ruleset: str = "amigo2006"
    games: int = 0
    won: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of games won."""
        return wilson(self.won, self.games)


def thrower(generator: random.Random) -> Callable[[int], Faces]:
    """Dice thrown with this generator."""
    return lambda count: tuple(sorted(generator.randint(1, 6) for _ in range(count)))


def match(found: Match, games: int, seed: int, keep: Path | None = None, processes: int = 2) -> Match:
    """Plays so many games, the advisor in every seat in turn, each seat with the same dice: the luck of a seat and of
    the dice is the same for both sides. keep: folder for the games played so far."""
    name = f"seed{seed}-{found.opponent.replace(' ', '-')}-{found.ruleset}-players{found.players}.jsonl"
    play = partial(_against, found.opponent, found.ruleset, found.players, seed)
    for won in side_by_side(play, games, keep / name if keep is not None else None, processes):
        found.games += 1
        found.won += won
    return found


def reached(games: int, positions: int, seed: int, keep: Path | None = None) -> list[State]:
    """Positions of games of the advisor against itself, two to five players in turn, any as likely as any other."""
    share = min(1.0, 2 * positions / (games * _POSITIONS_A_GAME))
    file = keep / f"seed{seed}-positions{positions}.jsonl" if keep is not None else None
    found = [line for kept in side_by_side(partial(_against_itself, share, seed), games, file) for line in kept]
    return [read_position(line) for line in random.Random(seed).sample(found, min(positions, len(found)))]


def _against(opponent: str, ruleset: str, players: int, seed: int, number: int) -> bool:
    """Whether the advisor won; games that differ in its seat alone have the same dice."""
    seat, dice = number % players, random.Random(f"{seed}/{players}/{number // players}")
    advised, others = Advised(worth_table()), OPPONENTS[opponent]()
    seats = [advised if place == seat else others for place in range(players)]
    end = play_game(new_game(players, RULESETS[ruleset]), seats, thrower(dice))
    return end.winner == end.seats[seat]


def _against_itself(share: float, seed: int, number: int) -> list[str]:
    """This share of the positions reached, as text."""
    pick, last, kept = random.Random(f"positions {seed}/{number}"), None, list[str]()

    def note(state: State, event: Event) -> None:
        nonlocal last
        if state != last and pick.random() < share:
            kept.append(position_text(state))
        last = state

    players = 2 + number % 4
    advised = [Advised(worth_table())] * players
    play_game(new_game(players, _AMIGO), advised, thrower(random.Random(f"self-play {seed}/{number}")), note)
    return kept


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the fastest of several runs (the least disturbed by what else the machine does), by the clock on
    the wall and of processor time."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} ms ({self.processor:.1f} ms of processor time)"


def fastest(times: int, work: Callable[[], object]) -> Timing:
    """Does it so many times."""
    found = []
    for _ in range(times):
        wall, processor = perf_counter(), process_time()
        work()
        found.append(((perf_counter() - wall) * 1000, (process_time() - processor) * 1000))
    return Timing(min(wall for wall, _ in found), min(processor for _, processor in found))


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """How long the odds of every card for sale took, whether all are exact, and the widest interval."""

    timing: Timing
    exact: bool
    widest: float


def first_answer(state: State) -> FirstAnswer:
    """What the page shows first."""
    goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
    threshold = threshold_for(state, state.seat) if state.final else None
    found: dict[str, Chance] = {}
    timing = fastest(1, lambda: found.update(odds(Position.of(state), goals, threshold, mapped=_POOL.map)))
    exact = all(chance.method == "exact" for chance in found.values())
    return FirstAnswer(timing, exact, max((c.high - c.low for c in found.values()), default=0.0))


def told(played: Match) -> str:
    """A match in a line."""
    low, high = played.interval
    return (
        f"advisor against {played.opponent} ({played.ruleset}): {played.won / played.games:.1%} of {played.games} "
        f"games of {played.players}, 95 % {low:.1%} to {high:.1%} (even would be {1 / played.players:.0%})"
    )


def report(games: int, positions: int, seed: int, keep: Path | None = None, processes: int = 2) -> Iterator[str]:
    """The lines of the bench, each as soon as it is known. games: of every match."""
    yield f"all costs, 7 dice, no cards: {fastest(20, lambda: odds(SEVEN_DICE))} (target 20)"
    yield f"  as exact fractions: {fastest(10, lambda: odds(SEVEN_DICE, fractions=True))}"
    obvious = _obvious_solver()
    if obvious is not None:
        yield f"  plain Python, the King alone: {fastest(1, lambda: _obvious_king(obvious))}"
    for position in SIX_DICE:
        timing = fastest(10, lambda position=position: odds(position, mapped=_POOL.map))  # type: ignore[misc]
        yield f"all costs, 6 dice, 4 unused cards, mid-turn: {timing} (target 100)"
    command = [sys.executable, "-c", _FIRST_ANSWER]
    cold = fastest(5, lambda: subprocess.run(command, check=True))
    yield f"import and first answer, cold: {cold.wall:.0f} ms (target 1500)"
    for opponent in OPPONENTS:
        for ruleset in RULESETS:
            for players in (2, 3, 4, 5):
                yield told(match(Match(players, opponent, ruleset), games, seed, keep, processes))
    yield from _positions(reached(games, positions, seed, keep), games)


def _positions(chosen: list[State], games: int) -> Iterator[str]:
    answers = [first_answer(state) for state in chosen]
    claimed = sum(state.threshold is not None for state in chosen)
    yield f"what the page shows first, in {len(chosen)} positions of {games} self-play games ({claimed} after a claim):"
    for name, times in (
        ("clock", sorted(answer.timing.wall for answer in answers)),
        ("processor", sorted(answer.timing.processor for answer in answers)),
    ):
        p95 = times[int(len(times) * 0.95)]
        yield (
            f"  {name}: median {times[len(times) // 2]:.0f} ms, p95 {p95:.0f} ms (target 300), "
            f"worst {times[-1]:.0f} ms (target 2000)"
        )
    exact = sum(answer.exact for answer in answers) / len(answers)
    widest = max(answer.widest for answer in answers)
    yield f"  {exact:.1%} exact (target 95 %), widest interval of the rest {widest:.2%} (target 1 %)"


def _obvious_solver() -> ModuleType | None:
    """The tests' solver, in a checkout."""
    path = Path(__file__).parents[2] / "scripts" / "simulation" / "obvious_solver.py"
    spec = importlib.util.spec_from_file_location("obvious_solver", path) if path.exists() else None
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _obvious_king(obvious: ModuleType) -> None:
    begin = obvious.solver(obvious.COSTS["king"])[1]
    begin(SEVEN_DICE.cards)
