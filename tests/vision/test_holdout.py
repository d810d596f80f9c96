"""A third of each training set is a holdout that is not used for training."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.resources import resource
from tests.kit.drawn.photos import load_crops, load_photos, load_training_photos
from tests.kit.evaluation.holdout import CROPS, LIST, SETS, in_holdout, read_list


def test_copies_of_one_photo_are_put_aside_together() -> None:
    for source, copies, share in (
        ("pxl", ("00ca44", "646d6f", "b60383"), 1 / 3),
        (CROPS, ("detection_1", "detection_2", "detection_12"), 1 / 2),
    ):
        names = [f"{source}__19102{number}_{copy}" for number in range(200) for copy in copies]
        aside = np.array([in_holdout(name) for name in names]).reshape(-1, 3)
        assert (aside.all(axis=1) | ~aside.any(axis=1)).all()
        assert abs(aside[:, 0].mean() - share) < 0.13


def test_the_listed_holdout_follows_the_rule_and_includes_every_set() -> None:
    names = read_list(resource(*LIST.parts))
    assert all(in_holdout(Path(name).stem) for name in names)
    assert {name.split("__")[0] for name in names} == set(SETS)
    assert not in_holdout("own__1234")
    assert not in_holdout("render_00001")


def test_the_holdout_is_never_used_in_training(tmp_path: Path) -> None:
    """The holdout is valid only if it is not used for training."""
    (tmp_path / "images").mkdir()
    names = [f"ivory__dice{number}" for number in range(12)]
    for name in names:
        cv2.imwrite(str(tmp_path / "images" / f"{name}.png"), np.zeros((8, 8, 3), np.uint8))
    taught = {photo.name for photo in load_training_photos(tmp_path, tmp_path / "cache")}
    assert taught == {name for name in names if not in_holdout(name)}
    assert 0 < len(taught) < len(names) == len(load_photos(tmp_path, tmp_path / "cache"))


def test_crops_of_single_dice_have_the_value_of_their_folder(tmp_path: Path) -> None:
    for value in (2, 5):
        (tmp_path / str(value)).mkdir()
        cv2.imwrite(str(tmp_path / str(value) / f"{CROPS}__{value}.png"), np.zeros((40, 50, 3), np.uint8))
    (tmp_path / "notes").mkdir()
    crops = load_crops(tmp_path)
    assert [int(crop.faces[0]) for crop in crops] == [2, 5]
    assert np.allclose(crops[0].xyxy, [[4, 3.2, 46, 36.8]])
    assert load_crops(tmp_path / "notes") == []
