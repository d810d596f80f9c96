"""A camera fails in the middle of a game: the page reports it, nothing is invented, and the game goes on by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.faulty_camera import FAULTS, MODELS, NEXT, SET_ASIDE, THROWN, variants, watched_table
from tests.kit.lateness import lateness
from tests.kit.served_app import RESPONSE_SECONDS
from vision import messages
from vision.dice.detector import Detector
from vision.pipeline import Pipeline
from vision.sources.jpeg import decode
from vision.types import Frame

pytestmark = pytest.mark.slow

SAID = {"black": messages.BLACK, "overexposed": messages.BRIGHT}
# No camera, another camera, a picture with a message, and pictures that cannot be used. tests/stress/camera_faults.py
# has all faults. The pipeline has a test of each message, and test_watching_process.py of decoders that end it.
TRIED = ("unplugged", "stream server restarted", "black", "damaged JPEGs", "a decoder that raises")


def test_whatever_happens_to_the_camera_the_page_says_so_invents_nothing_and_reads_again(tmp_path: Path) -> None:
    with watched_table(tmp_path) as table, lateness() as late:
        for name in TRIED:
            table.apply(FAULTS[name], hold=0.3)
        table.show(SET_ASIDE)
        table.until("picture", r'"settled":true .*\[2, 5, 5\], 2 set aside')
        table.show(NEXT)
        table.until("record.txt", r"A keep 5 5\b.*\nA roll 3\b")
        assert table.latency.worst < RESPONSE_SECONDS + late.seconds


@pytest.mark.parametrize("fault", ["black", "overexposed"])
def test_dice_hidden_for_long_by_a_black_or_white_picture_do_not_count_as_rolled(fault: str) -> None:
    """Bug: after two seconds the dice counted as gone, and their return as a roll."""
    pipeline, pictures = Pipeline(Detector(MODELS), live=True), FAULTS[fault].pictures
    assert pictures is not None
    sent = [*variants(THROWN), *pictures() * 4, *variants(THROWN)]
    read = [pipeline.step(Frame(decode(jpeg), n / 10, n)) for n, jpeg in enumerate(sent)]
    blind = read[8:-8]
    assert all(reading.doubt == SAID[fault] and not reading.settled for reading in blind)
    assert read[7].settled
    assert read[-1].settled
    assert (round(read[-1].rolls), read[-1].active) == (round(read[7].rolls), read[7].active) == (1, (2, 5, 5))


def test_dice_in_their_old_places_after_the_camera_has_spun_were_not_rolled() -> None:
    """Bug: dice seen moving across the picture, back to their places, counted as rolled."""
    pipeline, spinning = Pipeline(Detector(MODELS), live=True), FAULTS["rotating"].pictures
    assert spinning is not None
    sent = [*variants(THROWN), *spinning(), *(variants(THROWN) * 2)]
    read = [pipeline.step(Frame(decode(jpeg), n / 10, n)) for n, jpeg in enumerate(sent)]
    assert not any(reading.settled for reading in read[9:16])
    assert read[7].settled
    assert read[-1].settled
    assert (round(read[-1].rolls), read[-1].active) == (round(read[7].rolls), read[7].active) == (1, (2, 5, 5))
