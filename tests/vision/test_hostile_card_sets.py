"""Card sets are files from strangers: none may crash the program that imports it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.web.attacks import in_memory
from vision.cards.card_set import FORMAT, MOST_KIND, CardSet, DamagedSet
from vision.cards.faces import Face


def packed(picture: np.ndarray, times: int, kind: str = "Farmer", as_file: str = ".png") -> bytes:
    """A card set whose faces are all the same picture, stored once."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        rows = [{"kind": kind, "file": "faces/0.png"}] * times
        archive.writestr("set.json", json.dumps({"format": FORMAT, "name": "Mine", "game": "krone", "faces": rows}))
        archive.writestr("faces/0.png", cv2.imencode(as_file, picture)[1].tobytes())
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux to read the memory of a process")
def test_a_small_file_that_announces_thousands_of_large_faces_is_refused_before_they_are_decoded() -> None:
    """A file of 120 kB would decode to 240 GB."""
    data = packed(np.zeros((6000, 6000, 3), np.uint8), 2000)
    assert len(data) < 500_000
    before = in_memory()
    with pytest.raises(DamagedSet):
        CardSet.unpacked(data)
    assert in_memory() - before < 400 * 2**20


def test_a_face_of_another_format_than_is_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An AVIF may announce another size than it decodes to."""
    monkeypatch.setattr("vision.cards.card_set.decode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(DamagedSet):
        CardSet.unpacked(packed(np.zeros((400, 260, 3), np.uint8), 1, as_file=".avif"))


def test_a_kind_with_a_name_of_a_megabyte_is_refused() -> None:
    face = np.zeros((400, 260, 3), np.uint8)
    assert CardSet.unpacked(packed(face, 3, "F" * MOST_KIND)).kinds == ("F" * MOST_KIND,)
    with pytest.raises(DamagedSet):
        CardSet.unpacked(packed(face, 1, "F" * (MOST_KIND + 1)))


def test_an_edition_of_six_megabytes_can_be_taken_over(app_state: AppState, tmp_path: Path) -> None:
    """Every exported set can be imported, however many cards it has."""
    grain = np.random.default_rng(1)
    faces = tuple(Face(f"card {n}", grain.integers(0, 255, (400, 260, 3), dtype=np.uint8)) for n in range(20))
    data = CardSet("Large", faces, "krone").packed()
    assert len(data) > 6_000_000
    app_state.cameras.cards.sets.folder = tmp_path / "own-cards"
    client = create_app(app_state, Pairing(tmp_path / "data"), Settings(port=1)).test_client()
    client.get("/camera/cards")
    with client.session_transaction() as session:
        token = session["csrf"]
    answer = client.post("/camera/cards/import", data={"csrf": token, "file": (io.BytesIO(data), "Large.cards")})
    assert answer.status_code == 303
    assert app_state.cameras.cards.sets.names() == ["Large"]
