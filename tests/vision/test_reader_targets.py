"""The reader's targets are counted as the table says."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

import numpy as np

from tests.kit.evaluation.counts import continued, shuffled
from tests.kit.evaluation.reader_targets import (
    HALVES,
    Picture,
    by_boxes,
    by_values,
    half_of,
    reliability_table,
    targets_table,
)
from tests.kit.evaluation.scoring import Truth, compare
from vision.dice.detections import Detections


def _seen(*dice: tuple[int, float]) -> Detections:
    chances = np.full((len(dice), 6), 0.0, np.float32)
    for row, (value, confidence) in enumerate(dice):
        chances[row] = (1 - confidence) / 5
        chances[row, value - 1] = confidence
    at = 40 * np.arange(len(dice), dtype=np.float32)[:, None]
    return Detections(np.concatenate([at, 0 * at, at + 20, 0 * at + 20], axis=1), chances, np.ones(len(dice)))


def test_a_picture_without_dice_counts_false_and_sure_dice() -> None:
    picture = by_values("eye.jpg", _seen((1, 0.99), (4, 0.5)), (), "anything")
    assert (picture.false, picture.sure, picture.misread, picture.exact) == (2, 1, 0, False)
    assert by_values("tree.jpg", _seen(), (), "anything").exact


def test_a_value_too_many_beside_one_too_few_is_a_misread_die() -> None:
    picture = by_values("a.jpg", _seen((1, 0.9), (2, 0.95), (2, 0.9)), (1, 2, 3))
    assert (picture.right, picture.misread, picture.undetected, picture.missed, picture.false) == (2, 1, 1, 0, 0)
    missed = by_values("b.jpg", _seen((1, 0.9)), (1, 2))
    assert (missed.right, missed.misread, missed.missed, missed.exact) == (1, 0, 1, False)


def test_labels_show_which_die_was_misread() -> None:
    seen = _seen((1, 0.9), (2, 0.9), (3, 0.9))
    truth = Truth(np.array([[0, 0, 20, 20], [40, 0, 60, 20], [200, 0, 220, 20]], np.float32), np.array([1, 5, 6]))
    picture = by_boxes("c.jpg", "seen", compare(seen, truth))
    assert (picture.right, picture.misread, picture.missed, picture.undetected, picture.false) == (1, 1, 1, 1, 1)
    assert "| seen | 1 |" in targets_table([picture])


def test_each_reported_die_is_judged_with_its_confidence() -> None:
    reported = by_values("a.jpg", _seen((1, 0.9), (2, 0.95), (2, 0.85)), (1, 2, 3)).reported
    assert reported == [(0.95, True), (0.9, True), (0.85, False)]
    truth = Truth(np.array([[0, 0, 20, 20], [40, 0, 60, 20]], np.float32), np.array([1, 5]))
    assert by_boxes("b.jpg", "seen", compare(_seen((1, 0.9), (2, 0.7), (3, 0.6)), truth)).reported == [
        (0.9, True),
        (0.7, False),
        (0.6, False),
    ]


def test_photos_without_dice_count_in_the_reliability_of_a_confidence() -> None:
    pictures = [
        by_values("a.jpg", _seen((1, 0.9), (2, 1.0)), (1, 2)),
        by_values("eye.jpg", _seen((1, 0.93)), (), "anything"),
    ]
    lines = {line.split("|")[1].strip(): line.split("|") for line in reliability_table(pictures).splitlines()[2:]}
    new, all_kinds = lines["0.8–1"][2:5], lines["0.8–1"][5:8]
    assert (new[0].strip(), new[2].split("%")[0].strip()) == ("2", "100.0")
    assert (all_kinds[0].strip(), all_kinds[2].split("%")[0].strip()) == ("3", "66.7")
    assert lines["0.9–0.95"][2].strip() == "1"


def test_no_source_is_in_both_halves() -> None:
    near = [half_of(Path("nodice/near") / f"owner-game__{number}_a.jpg") for number in range(20)]
    assert len(set(near)) == 1
    others = {half_of(Path("nodice/anything") / f"n{number}_thing.jpg") for number in range(40)}
    assert others == set(HALVES)


def test_an_interrupted_measurement_continues(tmp_path: Path) -> None:
    file, asked = tmp_path / "counts.jsonl", []

    def measured(known: Container[str]) -> Iterator[Picture]:
        for name in ("a.jpg", "b.jpg", "c.jpg"):
            if name not in known:
                asked.append(name)
                yield by_values(name, _seen(), (), "near")
                if len(asked) == 2:
                    return

    assert [p.name for p in continued(file, Picture, measured)] == ["a.jpg", "b.jpg"]
    assert [p.name for p in continued(file, Picture, measured)] == ["a.jpg", "b.jpg", "c.jpg"]
    assert asked == ["a.jpg", "b.jpg", "c.jpg"]


def test_a_measurement_of_a_few_photos_measures_the_same_random_ones_first(tmp_path: Path) -> None:
    paths = [Path(f"{number:03}.jpg") for number in range(100)]
    some = shuffled(paths)
    assert some != paths
    assert some == shuffled(reversed(paths))

    def measured(known: Container[str]) -> Iterator[Picture]:
        return (by_values(path.name, _seen(), (), "near") for path in some if path.name not in known)

    for most in (2, 2, 5):
        names = [one.name for one in continued(tmp_path / "counts.jsonl", Picture, measured, most)]
        assert names == [path.name for path in some[:most]]
