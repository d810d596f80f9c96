"""Cards are read again only where something has changed and come to rest."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.editions import face
from vision.cards.card_reader import CardReader
from vision.cards.faces import Face, Index
from vision.cards.watching import CardWatcher, Piece

EDITION = 3
SIZE = (640, 360)
ZONES = {
    "display": ((0.0, 0.0), (1.0, 0.0), (1.0, 0.45), (0.0, 0.45)),
    "A": ((0.0, 0.5), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0)),
}


def drawn(kind: int, square: bool) -> np.ndarray:
    image = face(EDITION, kind)
    return np.asarray(cv2.resize(image, (image.shape[1], image.shape[1]))) if square else image


@lru_cache(maxsize=2)
def reader(square: bool = False) -> CardReader:
    return CardReader(Index([Face(str(kind), drawn(kind, square)) for kind in range(8)]))


@lru_cache(maxsize=16)
def picture(*cards: tuple[int, float, float, float], seed: int = 1, square: bool = False) -> np.ndarray:
    """A picture with cards of 60 pixels (kind, centre, degrees): always the same table, each with its own noise."""
    laid = [LaidCard(str(kind), drawn(kind, square), (x, y), 60.0, degrees) for kind, x, y, degrees in cards]
    shown, _ = photograph_cards(laid, seed, SIZE, ground=2)
    return shown


class Camera:
    """Frames a quarter of a second apart."""

    def __init__(self, square: bool = False) -> None:
        self.watcher = CardWatcher(reader(square), ZONES)
        self.seconds = 0.0

    def show(self, image: np.ndarray, frames: int = 3) -> int:
        """Number of frames on which anything was read."""
        read = 0
        for _ in range(frames):
            self.seconds += 0.25
            read += self.watcher.step(image, self.seconds)
        return read

    def kinds(self, zone: str) -> list[str]:
        return sorted(self.watcher.seen.kinds(zone))


DISPLAY = ((1, 100.0, 85.0, 0.0), (2, 250.0, 85.0, 0.0))


@pytest.mark.slow
def test_a_card_put_into_a_tableau_arrives_there_and_leaves_the_display() -> None:
    camera = Camera()
    camera.show(picture(*DISPLAY))
    assert (camera.kinds("display"), camera.kinds("A")) == (["1", "2"], [])
    camera.show(picture(DISPLAY[0], (2, 300.0, 270.0, 2.0)))
    assert (camera.kinds("display"), camera.kinds("A")) == (["1"], ["2"])
    assert ("display", "2") in {(zone, kind) for zone, kind, _ in camera.watcher.seen.gone}


@pytest.mark.slow
def test_where_nothing_changes_nothing_is_read_again() -> None:
    camera = Camera()
    camera.show(picture(*DISPLAY))
    assert sum(camera.show(picture(*DISPLAY, seed=seed), 1) for seed in range(2, 8)) == 0


def test_a_little_more_light_is_no_change() -> None:
    camera = Camera()
    camera.show(picture(*DISPLAY))
    lighter = cv2.convertScaleAbs(picture(*DISPLAY), alpha=1.0, beta=12)
    assert camera.show(np.asarray(lighter, np.uint8), 4) == 0


@pytest.mark.slow
def test_a_moving_card_is_not_read_until_it_rests() -> None:
    camera = Camera()
    camera.show(picture(*DISPLAY))
    for x in (200.0, 260.0, 320.0):
        assert camera.show(picture(*DISPLAY, (3, x, 270.0, 0.0)), 1) == 0
        assert "A" in camera.watcher.seen.unread
    assert camera.show(picture(*DISPLAY, (3, 320.0, 270.0, 0.0)), 3) == 1
    assert camera.kinds("A") == ["3"]


@pytest.mark.slow
@pytest.mark.parametrize("square", [False, True])
def test_a_card_turned_by_a_quarter_is_the_same_card_turned_and_turned_back(square: bool) -> None:
    camera = Camera(square)
    camera.show(picture((3, 320.0, 270.0, 1.0), square=square))
    came = camera.watcher.seen.cards[0]
    camera.show(picture((3, 322.0, 268.0, 92.0), square=square))
    (turned,) = camera.watcher.seen.cards
    assert (came.turned, turned.since) == (None, came.since)
    assert turned.turned is not None
    camera.show(picture((3, 320.0, 270.0, -1.0), square=square))
    (back,) = camera.watcher.seen.cards
    assert back.turned is None


@pytest.mark.slow
def test_a_wide_change_is_read_in_parts_and_its_place_counts_as_moving_until_all_is_read() -> None:
    camera = Camera()
    camera.show(picture(*DISPLAY), 4)
    row = tuple((kind, 80.0 + 90 * place, 270.0, 3.0) for place, kind in enumerate((3, 4, 5, 6, 7, 0)))
    changed = picture(*DISPLAY, *row)
    sizes: list[int] = []
    waits: list[bool] = []
    read = camera.watcher.read

    def counted(image: np.ndarray, pieces: list[Piece], seconds: float) -> None:
        sizes.append(max(right - left for left, _, right, _ in pieces))
        waits.append("A" in camera.watcher.seen.unread)
        read(image, pieces, seconds)

    camera.watcher.read = counted  # type: ignore[method-assign]
    camera.show(changed, 10)
    assert waits[:-1] == [True] * (len(sizes) - 1)
    assert waits[-1:] == [False]
    assert len(sizes) > 1
    assert camera.watcher.tall is not None
    assert max(sizes) <= 2.3 * camera.watcher.tall
    assert camera.kinds("A") == ["0", "3", "4", "5", "6", "7"]
    assert camera.watcher.seen.unread == frozenset()
