"""`courtside cards`: sets are taught, read, exported and deleted; bad input gives one sentence and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import courtside
from companion.commands.print_readings import demo_clip
from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.editions import face
from vision.cards.card_set import CardSet

pytestmark = pytest.mark.slow

EDITION = 3


def run(folder: Path, *words: object) -> Result:
    return CliRunner().invoke(courtside, ["cards", "--folder", str(folder / "sets"), *map(str, words)])


def written(path: Path, picture: np.ndarray) -> Path:
    path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    return path


def photo(path: Path, kinds: list[int], width: float = 150.0) -> Path:
    cards = [
        LaidCard(str(kind), face(EDITION, kind), (130.0 + 220 * n, 170.0), width, 2.0) for n, kind in enumerate(kinds)
    ]
    return written(path, photograph_cards(cards, 1, (720, 340), ground=6)[0])


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """A folder with the set “court”: a duke, taught by a picture of just the card, and a page, taught by a photo."""
    scan, shot = written(tmp_path / "duke.png", face(EDITION, 0)), photo(tmp_path / "shot.png", [1])
    assert run(tmp_path, "teach", scan, "--set", "court").exit_code == 0
    assert run(tmp_path, "teach", shot, "--set", "court", "--as", "page").exit_code == 0
    return tmp_path


def test_one_json_object_a_line_with_kind_confidence_corners_turn_and_time(taught: Path) -> None:
    picture = photo(taught / "table.jpg", [1, 0, 9])
    result = run(taught, "read", picture, picture, "--set", "court", "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["image"] for line in lines] == [str(picture)] * 2
    assert set(lines[0]) == {"image", "cards", "milliseconds"}
    assert [card["kind"] for card in lines[0]["cards"]] == ["page", "duke", None]
    for card in lines[0]["cards"]:
        assert set(card) == {"kind", "confidence", "quad", "turned"}
        assert np.array(card["quad"]).shape == (4, 2)
        assert card["turned"] == 0


def test_list_and_forget(taught: Path) -> None:
    assert run(taught, "list").stdout == "court: duke, page\n"
    assert run(taught, "forget", "--set", "court", "--as", "duke").exit_code == 0
    assert run(taught, "list").stdout == "court: page\n"
    assert run(taught, "forget", "--set", "court").exit_code == 0
    assert run(taught, "list").stdout == "no card sets yet\n"


def test_a_set_is_exported_and_imported_as_one_file(taught: Path) -> None:
    file = taught / "court.zip"
    assert run(taught, "export", "--set", "court", file).exit_code == 0
    again = run(taught, "import", file)
    assert again.exit_code == 2
    assert "already" in again.output
    assert run(taught, "import", file, "--set", "guests").exit_code == 0
    assert run(taught, "list").stdout == "court: duke, page\nguests: duke, page\n"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("none", "shows no card"),
        ("two", "shows 2 cards"),
        ("text", "not a readable picture"),
        ("film", "not a readable picture"),
        ("gone", "cannot be opened"),
    ],
)
def test_a_picture_without_one_card_is_a_sentence_and_the_others_are_still_taught(
    taught: Path, name: str, sentence: str
) -> None:
    bad = taught / f"{name}.png"
    if name == "none":
        photo(bad, [])
    elif name == "two":
        photo(bad, [4, 5])
    elif name == "text":
        bad.write_text("no picture")
    elif name == "film":
        bad.write_bytes(Path(demo_clip()).read_bytes())
    good = written(taught / "maid.png", face(EDITION, 6))
    result = run(taught, "teach", bad, good, "--set", "court")
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert run(taught, "list").stdout == "court: duke, page, maid\n"


@pytest.mark.parametrize("name", ["x" * 10_000, "x" * 61, " "])
def test_a_name_that_no_set_keeps_is_a_sentence_and_the_set_can_still_be_read(taught: Path, name: str) -> None:
    result = run(taught, "teach", written(taught / "maid.png", face(EDITION, 6)), "--set", "court", "--as", name)
    assert result.exit_code == 2
    assert "at most 60 letters" in result.output
    assert run(taught, "list").stdout == "court: duke, page\n"


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"PK" + data[9:]]
)
def test_a_damaged_set_is_a_sentence_and_is_not_overwritten(taught: Path, damage) -> None:  # type: ignore[no-untyped-def]
    path = taught / "sets" / "court.cards"
    path.with_name("court.cards.previous").unlink()
    path.write_bytes(damage(path.read_bytes()))
    before = path.read_bytes()
    picture = written(taught / "maid.png", face(EDITION, 6))
    for words in (("read", picture), ("teach", picture)):
        result = run(taught, *words, "--set", "court")
        assert result.exit_code == 2
        assert "damaged" in result.output
        assert "Traceback" not in result.output
    assert path.read_bytes() == before


def test_a_damaged_set_is_used_as_it_was_before_its_last_change(taught: Path) -> None:
    path = taught / "sets" / "court.cards"
    path.write_bytes(damaged := path.read_bytes()[:-200])
    result = run(taught, "teach", written(taught / "maid.png", face(EDITION, 6)), "--set", "court")
    assert result.exit_code == 0
    assert "The version before its last change is used" in result.stderr
    assert run(taught, "list").stdout == "court: duke, maid\n"
    assert path.with_name("court.cards.damaged").read_bytes() == damaged
    run(taught, "forget", "--set", "court")
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("wide", [23, 40, 50])
def test_a_small_card_on_a_table_is_taught_and_the_set_can_be_read(taught: Path, wide: int) -> None:
    """Bug: a face smaller than 64 pixels made the whole set unreadable."""
    picture = written(taught / "far.png", small_card_on_a_table(wide))
    assert run(taught, "teach", picture, "--set", "court", "--as", "maid").exit_code == 0
    assert run(taught, "list").stdout == "court: duke, page, maid\n"


def small_card_on_a_table(wide: int) -> np.ndarray:
    card = cv2.resize(face(EDITION, 6), (wide, max(61, round(wide * 1.4))), interpolation=cv2.INTER_AREA)
    picture = np.full((300, 400, 3), 90, np.uint8)
    picture[100 : 100 + card.shape[0], 150 : 150 + wide] = card
    return picture


def test_a_picture_of_one_small_card_is_taught(taught: Path) -> None:
    small = cv2.resize(face(EDITION, 6), (55, 77), interpolation=cv2.INTER_AREA)
    result = run(taught, "teach", written(taught / "maid.png", small), "--set", "court")
    assert (result.exit_code, result.stdout) == (0, "court: 1 learned, 3 kinds in the set\n")


def test_a_set_of_another_game_is_a_sentence(taught: Path) -> None:
    picture = written(taught / "maid.png", face(EDITION, 6))
    assert run(taught, "teach", picture, "--set", "k", "--game", "knatsch").exit_code == 0
    result = run(taught, "teach", picture, "--set", "k", "--game", "krone")
    assert result.exit_code == 2
    assert "for knatsch, not for krone" in result.output


@pytest.mark.parametrize("name", ["../secrets", "", "a/b", "x" * 100])
def test_a_set_name_stays_in_the_folder(taught: Path, name: str) -> None:
    result = run(taught, "teach", written(taught / "maid.png", face(EDITION, 6)), "--set", name)
    assert result.exit_code == 2
    assert "name" in result.output


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("missing", "there is no card set"),
        ("damaged.cards", "damaged, or is not a card set"),
        ("other.cards", "belong to another game"),
        ("empty.cards", "the card set “empty” is empty"),
    ],
)
def test_a_game_that_cannot_be_watched_with_these_cards_is_a_sentence(
    tmp_path: Path, cards: str, sentence: str
) -> None:
    (tmp_path / "damaged.cards").write_bytes(b"PK rubbish")
    (tmp_path / "other.cards").write_bytes(CardSet("other", (), "knatsch").packed())
    (tmp_path / "empty.cards").write_bytes(CardSet("empty", (), "krone").packed())
    film = written(tmp_path / "table.jpg", np.full((200, 300, 3), 90, np.uint8))
    given = str(tmp_path / cards) if cards.endswith(".cards") else cards
    result = CliRunner().invoke(courtside, ["watch", str(film), "--players", "Anna,Bert", "--cards", given])
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_a_second_source_without_cards_is_a_sentence(tmp_path: Path) -> None:
    words = ["watch", "demo", "--players", "Anna,Bert", "--cards-source", "1"]
    result = CliRunner().invoke(courtside, words)
    assert result.exit_code == 2
    assert "--cards NAME" in result.output
