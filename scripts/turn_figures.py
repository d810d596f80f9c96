"""Turns judged, put into figures: shares with their intervals, by layout, as lines, as a table and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.bench.vision import share
from tests.kit.setting import LAYOUTS
from tests.kit.turn_score import Score
from vision.dice.scoring import wilson

# What the live table promises of players who wait, in per cent; of questions by layout.
AT_LEAST = {"one explanation, recorded exactly": 99.8, "several, the true one in the first three": 99.4}
AT_MOST = {"silently wrong": 0.1}
QUESTIONS = "one explanation, and still a question"
MOST_QUESTIONS = {"mat": 6.0, "areas": 6.0, "nothing": 10.0}


@dataclass(frozen=True, slots=True)
class Judged:
    """One turn judged. story: what went wrong, in words, if something did; spent: seconds over each reading."""

    number: int
    score: Score
    story: str
    spent: tuple[float, ...]


def written(page: Path, marks: tuple[str, str], what: str, found: str) -> None:
    """Put figures between two marks of a page; the page must have them."""
    before, rest = page.read_text("utf-8").split(marks[0])
    _, after = rest.split(marks[1])
    page.write_text(f"{before}{marks[0]}\n\n{what}\n\n{found}\n\n{marks[1]}{after}", "utf-8", newline="\n")


def _by_layout(judged: Sequence[Judged]) -> dict[str, list[Score]]:
    """All turns, then those of each layout."""
    found = {"all layouts": [one.score for one in judged]}
    for place, layout in enumerate(LAYOUTS):
        found[layout] = [one.score for one in judged if one.number % len(LAYOUTS) == place]
    return found


def _shares(scores: Sequence[Score]) -> dict[str, list[bool]]:
    """The shares of these turns: by name, whether each turn that counts for it has it."""
    return {
        "one explanation, recorded exactly": [one.exact for one in scores if not one.ambiguous],
        "several, the true one in the first three": [one.offered for one in scores if one.ambiguous],
        "silently wrong": [not one.exact and not one.doubted for one in scores],
        "turns with a question": [one.asked for one in scores],
        QUESTIONS: [one.asked for one in scores if not one.ambiguous],
    }


def reports(judged: Sequence[Judged]) -> Iterator[str]:
    """The shares in words, by layout."""
    for layout, scores in _by_layout(judged).items():
        several = sum(one.ambiguous for one in scores)
        yield f"{layout}: {len(scores)} turns, {several} with several explanations"
        for name, good in _shares(scores).items():
            promised = _promised(name, layout, 100 * sum(good) / len(good)) if good else ""
            yield f"  {name:42} {sum(good):5} of {len(good):5}  {share(sum(good), len(good), 2):26}{promised}"


def _promised(name: str, layout: str, percent: float) -> str:
    """What is promised of this share, and whether it is kept; "" where nothing is."""
    most = MOST_QUESTIONS.get(layout) if name == QUESTIONS else AT_MOST.get(name)
    if most is not None:
        return f"≤ {most:g} %: {'kept' if percent <= most else 'missed'}"
    least = AT_LEAST.get(name)
    return "" if least is None else f"≥ {least:g} %: {'kept' if percent >= least else 'missed'}"


def as_table(judged: Sequence[Judged]) -> str:
    """The shares as a table of the documentation: a column a layout."""
    columns = {layout: _shares(scores) for layout, scores in _by_layout(judged).items()}
    heads = [f"{layout} ({len(scores)} turns)" for layout, scores in _by_layout(judged).items()]
    rows = [f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for name in _shares([]):
        cells = (found[name] for found in columns.values())
        rows.append(f"| {name} | {' | '.join(f'{sum(c)} of {len(c)}, {share(sum(c), len(c), 2)}' for c in cells)} |")
    return "\n".join(rows)


def figures(judged: Sequence[Judged]) -> dict[str, object]:
    """The same for a program: by layout and share the count, of how many, the share and its 95 % interval."""
    found: dict[str, object] = {}
    for layout, scores in _by_layout(judged).items():
        found[layout] = {
            name: {
                "count": sum(good),
                "of": len(good),
                "share": sum(good) / len(good) if good else None,
                "interval": wilson(sum(good), len(good)),
            }
            for name, good in _shares(scores).items()
        }
    return found


def spent(judged: Sequence[Judged]) -> str:
    """How long readings took to judge."""
    slow = sorted(seconds for one in judged for seconds in one.spent) or [0.0]
    usual, rare, most = (1000 * slow[int(q * (len(slow) - 1))] for q in (0.5, 0.99, 1.0))
    return f"time to judge a reading, ms: median {usual:.2f}, 99 % {rare:.1f}, most {most:.0f}"
