"""How well whole turns are recorded from the simulated table: `python -m scripts.measure_table --turns 1500`.

Random turns of two to five players, three layouts, every card in use. Without pictures (the default) the detector's
mistakes are drawn from the noise given; with `--rendered` every turn is thrown, filmed and read by the shipped model.
Prints the shares the live table promises with Wilson intervals, in all and by layout. `--keep FILE` notes every turn as
it is done and goes on from there the next time; `--seen DIR` keeps what was seen of every turn, so that another referee
can be tried on it in a tenth of the time; `--write FILE` puts the figures into a page of the documentation.
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from companion.commands.print_readings import load_detector
from scripts.measure_referee import share
from scripts.simulation.detected import Noise
from scripts.simulation.played_turns import detected, filmed, recorded, table_for, turns
from scripts.simulation.setting import LAYOUTS
from scripts.simulation.turn_score import Score, score
from vision.types import Reading

Shown = tuple[Reading, Sequence[str]]  # a reading, and the lines a person enters then
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def main() -> None:
    """Play the turns and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first turn")
    parser.add_argument("--rendered", action="store_true", help="throw, film and read with the shipped model")
    parser.add_argument("--model", type=Path, help="weights, the shipped ones if left out")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--missed", type=float, default=Noise().missed)
    parser.add_argument("--wrong", type=float, default=Noise().wrong)
    parser.add_argument("--stubborn", type=float, default=Noise().stubborn)
    parser.add_argument("--show", type=int, default=0, help="print so many turns that were not recorded exactly")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--seen", type=Path, help="folder with the readings of every turn, made if they are not there")
    parser.add_argument("--keep", type=Path, help="file with a line for every turn measured")
    parser.add_argument("--write", type=Path, help="page of the documentation to put the figures into")
    wanted = parser.parse_args()
    noise = Noise(missed=wanted.missed, wrong=wanted.wrong, stubborn=wanted.stubborn)
    eyes = load_detector(wanted.model) if wanted.rendered else None
    done = _kept(wanted.keep)
    started = time.perf_counter()
    for number, (begun, lines) in enumerate(turns(wanted.seed, wanted.start + wanted.turns)):
        if time.perf_counter() - started > wanted.seconds:
            break
        if number < wanted.start or number in done:
            continue
        table = table_for(begun)
        if eyes is not None:
            seen = filmed(table, begun, lines, number, eyes, wanted.fps)
        else:
            seen = detected(begun, lines, number, noise, wanted.fps)
        if wanted.seen:
            seen = kept_readings(wanted.seen / f"{wanted.seed}-{number}.pickle", seen)
        doubts = recorded(table, seen)
        wrote = ", ".join(line.event for line in table.lines)  # before the answers are tried
        done[number] = score(begun, lines, table, doubts)
        if wanted.keep:
            with wanted.keep.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps({"turn": number, **asdict(done[number])}) + "\n")
        if not done[number].exact and wanted.show > 0:
            wanted.show -= 1
            print(f"\nturn {number}, {LAYOUTS[number % 3]}: {done[number]} {begun.tableau(begun.seat)}")
            print(f"  true     {', '.join(lines)}\n  recorded {wrote}")
            for doubt in doubts:
                print(f"  {doubt.sentence} {doubt.answers}", flush=True)
    found = "\n".join(_reports(done))
    print(f"{len(done)} turns, {time.perf_counter() - started:.0f} s now\n{found}")
    if wanted.write:
        eye = "the shipped model on rendered frames" if wanted.rendered else f"simulated detections, {noise}"
        day = datetime.now(UTC).date().isoformat()
        what = f"code {code()}, {len(done)} turns, {wanted.fps:g} frames a second, seed {wanted.seed}, {eye}"
        written(wanted.write, (BEGIN, END), f"Measured {day} by `python -m scripts.measure_table`: {what}.", found)


def kept_readings(file: Path, seen: Iterable[Shown]) -> Iterable[Shown]:
    """What was seen of a turn, from the file if it is there (one's own: it is unpickled), else made and kept there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        made = file.with_suffix(".making")
        made.write_bytes(pickle.dumps([(reading, tuple(entered)) for reading, entered in seen]))
        made.rename(file)
    found: list[Shown] = pickle.loads(file.read_bytes())
    return found


def _kept(file: Path | None) -> dict[int, Score]:
    """The turns measured before, by number."""
    if file is None or not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {row.pop("turn"): Score(**row) for row in rows}


def code() -> str:
    """The commit that is running, and whether something has been changed since."""
    git = ["git", "-C", str(Path(__file__).parent)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    tree = [*git, "status", "--porcelain", "--", "engine", "vision", "companion", "scripts/simulation"]
    return commit + (" with changes" if subprocess.run(tree, capture_output=True, text=True).stdout else "")


def written(page: Path, marks: tuple[str, str], what: str, found: str) -> None:
    """Put figures between two marks of a page; the page must have them."""
    before, rest = page.read_text("utf-8").split(marks[0])
    _, after = rest.split(marks[1])
    page.write_text(f"{before}{marks[0]}\n\n{what}\n\n```\n{found}\n```\n\n{marks[1]}{after}", "utf-8", newline="\n")


def _reports(done: dict[int, Score]) -> Iterator[str]:
    """All turns, then those of each layout."""
    yield from report("all layouts", list(done.values()))
    for place, layout in enumerate(LAYOUTS):
        yield from report(layout, [one for number, one in done.items() if number % len(LAYOUTS) == place])


def report(name: str, scores: Sequence[Score]) -> Iterator[str]:
    """The shares of these turns."""
    clear = [one for one in scores if not one.ambiguous]
    several = [one for one in scores if one.ambiguous]
    yield f"{name}: {len(scores)} turns, {len(several)} with several explanations"
    yield f"  one explanation, recorded exactly          {share([one.exact for one in clear])}   (promised 99 %)"
    yield f"  one explanation, a doubt raised            {share([one.asked for one in clear])}"
    yield f"  several, the true one in the first three   {share([one.offered for one in several])}   (promised 99 %)"
    wrong = share([not one.exact and not one.asked for one in scores])
    yield f"  silently wrong                      {wrong}   (promised at most 0.2 %)"


if __name__ == "__main__":
    main()
