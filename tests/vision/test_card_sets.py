"""Taught cards are not lost: every set that is written can be read, and a bad picture affects only itself."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.camera.own_cards import OwnCards
from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.editions import face
from vision.cards import card_set
from vision.cards.card_set import CardSet, DamagedSet
from vision.cards.faces import Face
from vision.cards.teaching import NotOneCard, as_face, face_in
from vision.sources.jpeg import decode

GRAIN = np.random.default_rng(3).integers(0, 255, (400, 400, 3), dtype=np.uint8)


@settings(max_examples=30, deadline=None)
@given(st.integers(10, 400), st.floats(0.55, 1.0), st.booleans())
def test_a_face_of_any_size_is_read_back(long: int, aspect: float, lying: bool) -> None:
    """Earlier versions too can read it; they refuse pictures smaller than 64 pixels."""
    height, width = (max(6, round(long * aspect)), long) if lying else (long, max(6, round(long * aspect)))
    taught = CardSet("Amigo", (as_face("maid", GRAIN[:height, :width]),), "krone")
    back = CardSet.unpacked(taught.packed())
    assert np.array_equal(back.faces[0].image, taught.faces[0].image)
    assert back.repair is None
    decode(cv2.imencode(".png", back.faces[0].image)[1].tobytes())


def packed(*sizes: int) -> bytes:
    return CardSet("Amigo", tuple(Face(f"card {n}", GRAIN[:n, :n]) for n in sizes), "krone").packed()


def without(data: bytes, file: str, instead: bytes | None) -> bytes:
    """The file of a set in which one picture is replaced or missing."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            if entry.filename != file:
                new.writestr(entry.filename, old.read(entry))
            elif instead is not None:
                new.writestr(entry.filename, instead)
    return out.getvalue()


@pytest.mark.parametrize("instead", [None, b"", b"no picture", cv2.imencode(".png", GRAIN[:5, :5])[1].tobytes()])
def test_a_picture_that_cannot_be_read_is_left_out_and_named(instead: bytes | None) -> None:
    back = CardSet.unpacked(without(packed(70, 80, 90), "faces/0001.png", instead))
    assert back.kinds == ("card 70", "card 90")
    assert back.repair is not None
    assert "left out: card 80" in back.repair


def test_a_picture_whose_bytes_have_changed_is_left_out_and_named() -> None:
    data = bytearray(packed(70, 80, 90))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        data[archive.getinfo("faces/0002.png").header_offset + 300] ^= 0xFF
    back = CardSet.unpacked(bytes(data))
    assert back.kinds == ("card 70", "card 80")
    assert "left out: card 90" in str(back.repair)


def test_faces_that_were_written_too_small_are_still_read() -> None:
    assert CardSet.unpacked(packed(70, 20)).kinds == ("card 70", "card 20")


def test_a_set_that_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = OwnCards(tmp_path)
    own.save(cards := CardSet("Amigo", (Face("maid", GRAIN),)))
    before = (tmp_path / "Amigo.cards").read_bytes()
    with pytest.raises(DamagedSet, match="could not be read again"):
        own.save(cards.taught(Face("too small", GRAIN[:8, :8])))
    monkeypatch.setattr(card_set, "MOST_PIXELS", 2 * GRAIN.size // 3)
    with pytest.raises(DamagedSet, match="too large for a card set"):
        own.save(CardSet("Amigo", (Face("maid", GRAIN),) * 3))
    assert (tmp_path / "Amigo.cards").read_bytes() == before


def test_the_set_before_the_last_change_stays_beside_it(tmp_path: Path) -> None:
    own = OwnCards(tmp_path)
    for count in (1, 2, 3):
        own.save(CardSet("Amigo", (Face("maid", GRAIN),) * count))
    assert len(CardSet.unpacked((tmp_path / "Amigo.cards.previous").read_bytes()).faces) == 2
    assert own.names() == ["Amigo"]


@pytest.mark.parametrize("edition", [0, 2, 3, 4, 8, 11, 16, 19, 23])
@pytest.mark.parametrize(("crop", "tall"), [(0.0, 360), (0.03, 360), (0.04, 200), (0.0, 120)])
def test_a_picture_cropped_to_the_card_is_that_card(edition: int, crop: float, tall: int) -> None:
    """Bug: the printed art and text box were taken for the card, or for two cards."""
    picture = face(edition, 0)
    high, wide = (round(side * crop) for side in picture.shape[:2])
    picture = picture[high : picture.shape[0] - high, wide : picture.shape[1] - wide]
    size = round(tall * picture.shape[1] / picture.shape[0]), tall
    picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    found = face_in(picture)
    assert found.shape[1] / found.shape[0] == pytest.approx(picture.shape[1] / picture.shape[0], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("ground", [0, 2, 4, 6])
@pytest.mark.parametrize(("size", "turn"), [((640, 480), 0.0), ((480, 640), 90.0)])
def test_a_card_photographed_on_a_table_is_cut_out(ground: int, size: tuple[int, int], turn: float) -> None:
    card = LaidCard("maid", face(2, 1), (size[0] / 2 + 8, size[1] / 2 - 5), 250.0, turn + 0.8)
    found = face_in(photograph_cards([card], ground, size, ground=ground)[0])
    aspect = face(2, 1).shape[1] / face(2, 1).shape[0]
    assert min(found.shape[:2]) / max(found.shape[:2]) == pytest.approx(aspect, abs=0.04)


def test_two_cards_above_each_other_are_two() -> None:
    cards = [LaidCard(str(n), face(2, n), (240.0, 160.0 + 320 * n), 220.0, 90.5) for n in range(2)]
    with pytest.raises(NotOneCard, match="shows 2 cards"):
        face_in(photograph_cards(cards, 1, (480, 640), ground=6)[0])
