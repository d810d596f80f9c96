"""A camera fails in the middle of a game: the page says so, nothing is invented, and the game goes on by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faulty_camera import FAULTS, NEXT, SET_ASIDE, watched_table

SLOW = {"4K"}  # four times the work for nothing new; scripts/camera_faults.py does it


@pytest.mark.xdist_group("browser")
def test_whatever_happens_to_the_camera_the_page_says_so_invents_nothing_and_reads_again(tmp_path: Path) -> None:
    with watched_table(tmp_path) as table:
        for name in (name for name in FAULTS if name not in SLOW):
            table.suffer(FAULTS[name], hold=0.3)
        table.show(SET_ASIDE)
        table.until("picture", r"\[2, 5, 5\]")
        table.show(NEXT)
        table.until("record.txt", r"A keep 5 5\b.*\nA roll 3\b")
