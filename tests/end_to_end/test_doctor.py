"""`courtside doctor` measures what a camera sees and says what to improve."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion.commands.doctor import command
from tests.vision.drawn import laid_dice, table

pytestmark = pytest.mark.slow


def checked(tmp_path: Path, picture: object) -> str:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture)
    done = CliRunner().invoke(command, [str(path), "--seconds", "0.5"])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_dice_of_a_picture_are_measured(tmp_path: Path) -> None:
    picture, dice = laid_dice()
    said = checked(tmp_path, picture)
    assert f"dice        {len(dice)}\n" in said
    assert "die width" in said
    assert "No dice in the picture" not in said


def test_a_picture_without_dice_says_so(tmp_path: Path) -> None:
    said = checked(tmp_path, table(640, 480))
    assert "die width" not in said
    assert said.rstrip().endswith("No dice in the picture. Put some on the table and try again.")
