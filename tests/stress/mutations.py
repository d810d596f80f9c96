"""Mutation test: breaks the code in 30 places, one at a time, and lists the mutations that no test detects; target: at
most one.

Run it after changing tests: `python -m tests.stress.mutations`. Arguments select files by name. The mutations are made
in a copy of the tracked files; the test that detects one must pass without it. Exit status 1 if more than one is
undetected.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MOST_UNNOTICED = 1


class Mutation(NamedTuple):
    """A text that occurs once in a file, its replacement, and the tests that should fail."""

    file: str
    old: str
    new: str
    tests: str


BREAKS = (
    Mutation("engine/dice.py", "found[-1] <= 6", "found[-1] <= 7", "engine/test_record.py engine/test_krone_legal.py"),
    Mutation("engine/krone/costs.py", "max(counts) >= size or", "max(counts) > size or", "engine/test_krone_costs.py"),
    Mutation(
        "engine/krone/costs.py", ">= number\n\n    return", "> number\n\n    return", "engine/test_krone_costs.py"
    ),
    Mutation("engine/krone/rules.py", "if turn.duty:", "if False:", "engine/test_krone_rulings.py"),
    Mutation("engine/krone/rules.py", "    if state.final:\n", "    if False:\n", "engine/test_krone_rulings.py"),
    Mutation("engine/krone/rounds.py", "seats[marker - 1]", "seats[marker]", "engine/test_krone_rounds.py"),
    Mutation("engine/krone/rounds.py", "if state.king != state.claimant:", "if True:", "engine/test_krone_rounds.py"),
    Mutation(
        "engine/knatsch/combination.py", "return self > other", "return self >= other", "engine/test_knatsch_rules.py"
    ),
    Mutation(
        "engine/knatsch/combination.py",
        "for value in range(1, 6))",
        "for value in range(1, 7))",
        "engine/test_knatsch_rulings.py engine/test_knatsch_rules.py",
    ),
    Mutation("engine/knatsch/rules.py", "seat == state.guarding)", "True)", "engine/test_knatsch_rulings.py"),
    Mutation("engine/record_text.py", "or seat not in seats", "", "engine/test_record.py engine/test_record_damage.py"),
    Mutation(
        "engine/krone/advice/finale.py", "at_rung * (1 - row[1:])", "at_rung * (1 - row[:-1])", "engine/test_finale.py"
    ),
    Mutation(
        "engine/krone/advice/odds.py",
        "found > least or",
        "found >= least or",
        "engine/test_odds.py engine/test_advice.py",
    ),
    Mutation(
        "vision/dice/nms.py", "TOO_NEAR = 0.46", "TOO_NEAR = 1.1", "vision/test_tensors.py vision/test_detector.py"
    ),
    Mutation("tests/kit/evaluation/scoring.py", "!= self.seen.faces[s])", "== 0)", "vision/test_scoring.py"),
    Mutation("vision/dice/fusion.py", " - MAX_EVIDENCE * (len(passes) - len(group))", "", "vision/test_agreement.py"),
    Mutation("vision/dice/aspect_ratio.py", "if shape < 1 else", "if shape > 1 else", "vision/test_aspect_ratio.py"),
    Mutation(
        "vision/tracking/association.py", " and j not in used", "", "vision/test_tracker.py vision/test_gone_dice.py"
    ),
    Mutation(
        "vision/tracking/association.py",
        "across < LIKE",
        "across < 100",
        "vision/test_tracker.py vision/test_refined_pass.py",
    ),
    Mutation("vision/sources/latest_value.py", "if self.count > self._taken:", "if False:", "vision/test_camera.py"),
    Mutation("vision/sources/header.py", "MOST_SCANS = 20", "MOST_SCANS = 20000", "vision/test_picture_header.py"),
    Mutation(
        "companion/game/timeline.py",
        "if line.number == number)",
        "if line.number >= number)",
        "referee/test_table.py referee/test_referee.py",
    ),
    Mutation(
        "companion/game/timeline.py",
        " and legal(self.game, self.replay.states[turn.index], event)",
        "",
        "referee/test_table.py engine/test_krone_purchases.py",
    ),
    Mutation(
        "companion/game/used_cards.py",
        "HOLD_SECONDS = 0.8",
        "HOLD_SECONDS = 0.0",
        "referee/test_card_evidence.py referee/test_card_marks.py",
    ),
    Mutation("companion/camera/checklist.py", "dice.blur <= BLUR_DIE", "True", "web/test_browser_checklist.py"),
    Mutation(
        "companion/archive/checksum.py",
        'len(data).to_bytes(8, "big") + data',
        "data",
        "archive/test_damaged_archive.py archive/test_archive.py",
    ),
    Mutation("companion/web/pairing.py", " and seat in self.seats)", ")", "web/test_rights.py web/test_own_seat.py"),
    Mutation(
        "companion/web/pairing.py",
        "if len(failures) < self._allowed:",
        "if True:",
        "web/test_links.py web/test_network.py",
    ),
    Mutation(
        "companion/web/security.py",
        " or not sent:\n        abort(403)",
        ":\n        pass",
        "web/test_hostile_requests.py web/test_pages.py",
    ),
    Mutation(
        "companion/i18n/words.py",
        'DECIMAL_COMMA = frozenset({"de", "fi", "nl"})',
        "DECIMAL_COMMA = frozenset[str]()",
        "web/test_formats.py web/test_sentences.py",
    ),
)


def tested(tests: str, copy: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs test files, named as in BREAKS, in the copy, up to the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", *options]
    command += ["-m", "not browser and not stress", *(f"tests/{name}" for name in tests.split())]
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)


def unnoticed(one: Mutation, copy: Path) -> str:
    """The reason why the tests do not detect this mutation, "" if one fails as it should."""
    file = copy / one.file
    if not file.exists() or (whole := file.read_text(encoding="utf-8")).count(one.old) != 1:
        return "the text to be replaced is not there once"
    file.write_text(whole.replace(one.old, one.new), encoding="utf-8")
    try:
        done = tested(one.tests, copy)
    finally:
        file.write_text(whole, encoding="utf-8")
    if done.returncode not in (0, 1):
        return f"pytest says: {(done.stdout + done.stderr)[-300:]}"
    if not done.returncode:
        return "no test fails"
    return "the test that fails also fails without it" if tested(one.tests, copy, "--last-failed").returncode else ""


def main() -> None:
    """Tries all mutations, or those in files whose name contains an argument."""
    wanted = [one for one in BREAKS if any(word in one.file for word in sys.argv[1:] or ("",))]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        built = [str(path.relative_to(ROOT)) for path in (ROOT / "engine" / "krone" / "advice").glob("_kernel.*")]
        for name in [*filter(None, listed.split("\0")), *built]:
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        for number, one in enumerate(wanted, 1):
            why = unnoticed(one, copy)
            missed += bool(why)
            print(f"{number}/{len(wanted)} {one.file}: {one.old.strip()!r}: {why or 'noticed'}", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} breaks are noticed")
    raise SystemExit(missed > MOST_UNNOTICED)


if __name__ == "__main__":
    main()
