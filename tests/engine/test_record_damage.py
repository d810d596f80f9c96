"""Damaged records give a line and a reason, never a traceback or a game other than the text's."""

from __future__ import annotations

import re
from random import Random

import pytest

from engine.errors import Unreadable
from engine.record_text import read_record, write_record
from engine.replay import read_game
from tests.engine.example_records import EXAMPLE, FINISHED

WITNESSED = EXAMPLE.replace("A roll 5 5 2", "A roll 5 5 2 {camera 0.98} {a \\} remark}").replace(
    '[Result "*"]', '[Result "*"]\n[DiceSupply "none"]'
)
BYTES = [chr(code) for code in range(32, 127)] + ["\n", "\t", "\x00", "é", "\\"]


def judged(text: str) -> str | None:
    """The canonical text of a game; None if it is refused with a sentence and a line of the file."""
    try:
        return read_game(text).text()
    except Unreadable as refused:
        error = refused
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert error.line is not None
    assert 1 <= error.line <= lines
    assert str(error).strip()
    assert "\n" not in str(error)
    return None


def words(text: str) -> list[str]:
    text = re.sub(r"camera [0-9.]+", "camera", text)  # 0.90 is written 0.9
    return re.sub(r"\s*}", "}", re.sub(r"{\s*", "{", text.lower().replace("\\", ""))).split()


@pytest.mark.parametrize("text", [EXAMPLE, WITNESSED, FINISHED])
def test_cut_off_anywhere(text: str) -> None:
    for end in range(len(text)):
        whole = judged(text[:end])
        if whole is not None:  # what was read is what is written, and a beginning of the game
            said, heard = (
                [line.strip() for line in lines.split("\n") if line[:2] in ("A ", "B ")]
                for lines in (text[:end], whole)
            )
            assert heard[:-1] == said[:-1]
            assert heard[-1:] == said[-1:] or heard[-1].startswith(said[-1])  # Philosoph is the German name


@pytest.mark.slow
@pytest.mark.parametrize("text", [EXAMPLE, WITNESSED, FINISHED])
def test_one_byte_changed_lost_or_added(text: str) -> None:
    random = Random(7)
    original = words(judged(text) or "")
    for place in range(len(text)):
        for new in random.sample(BYTES, 1):
            for damaged in (
                text[:place] + new + text[place + 1 :],
                text[:place] + text[place + 1 :],
                text[:place] + new + text[place:],
            ):
                read = judged(damaged)
                if read is None or words(read) == original:
                    continue
                # another game was read: then the text really says another game, word for word
                said, heard = sorted(words(damaged)), sorted(words(write_record(read_record(damaged))))
                missing = [word for word in heard if word not in said and word not in ("[game", '"krone"]', "[ruleset")]
                assert not [word for word in missing if word not in ('"amigo2006"]', "[result", '"*"]')], (
                    damaged,
                    missing,
                )


def test_lines_swapped_repeated_or_lost() -> None:
    lines = EXAMPLE.split("\n")
    for i in range(6, len(lines) - 2):
        swapped = [*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]
        assert judged("\n".join(swapped)) is None, lines[i]
    for i in range(6, len(lines) - 1):
        assert judged("\n".join([*lines[: i + 1], lines[i], *lines[i + 1 :]])) is None, lines[i]
    for i in range(6, len(lines) - 1):
        shorter = judged("\n".join([*lines[:i], *lines[i + 1 :]]))
        if (
            shorter is not None
        ):  # without a purchase that no later event needs, that purchase is open; the end may be missing
            assert lines[i].split()[1] == "buy" or i == len(lines) - 2


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("A roll 5 5 2", "A roll 5 5 7", 7, "“7” is not a die"),
        ("A roll 5 5 2", "A roll 5 5 2 1", 7, "roll 3 dice, not 4"),
        ("A roll 5 5 2", "A roll", 7, "“roll” needs dice"),
        ("A roll 5 5 2", "A rol 5 5 2", 7, "“rol” is not a known entry"),
        ("A roll 5 5 2", "C roll 5 5 2", 7, "“C” is not a seat in this game"),
        ("A roll 5 5 2", "roll 5 5 2", 7, "“roll” is not a seat"),
        ("A roll 5 5 2", "A", 7, "“” is not a known entry"),
        ("A roll 5 5 2", "A roll 5 5 2 {open", 7, "write a remark as {…}"),
        ("A roll 5 5 2", "A roll 5 5 2 {x} y", 7, "write a remark as {…}"),
        ("A keep 5 5\n", "A keep 5 5 5\n", 8, "5 5 5 is not among 5 5 2"),
        ("A keep 5 5\n", "\n", 9, "set aside at least one die"),
        ("A buy farmer", "A buy jester", 11, "there is no card “jester”"),
        ("A buy farmer", "A buy queen", 11, "comes with the King"),
        ("A buy farmer", "A pass now", 11, "“pass” takes nothing after it"),
        ("B use laborer", "B use laborer > 1", 16, "write the dice before"),
        ("B use laborer", "B use guard", 16, "B does not have the Guard"),
        ("B use laborer", '[Date "later"]', 16, "before the first entry"),
        ('[Game "krone"]', '[Game "chess"]', 1, "there is no game “chess”"),
        ('[Game "krone"]', '[Game "krone"', 1, "a header line has the form"),
        ('[Game "krone"]', "[Game krone]", 1, "a header line has the form"),
        ('[Game "krone"]', "[Game]", 1, "one value"),
        ('"amigo2006"', '"amigo2007"', 2, "there is no ruleset “amigo2007”"),
        ("[Ruleset", "[Rulesat", 2, "Did you mean [Ruleset]?"),
        ("[Players", "[Player", 4, "Did you mean [Players]?"),
        ('[Date "2026-11-20"]', '[Players "x" "y"]', 4, "appears twice"),
        ('[Result "*"]', '[DiceSuply "none"]', 5, "Did you mean [DiceSupply]?"),
        ('"Anna" "Bert"', '"Anna" "Bert', 4, "a header line has the form"),
        ('"Anna" "Bert"', '"Anna"', 4, "2 to 5 players"),
        ("2026-11-20", "2026-1\x00-20", 3, "control characters"),
    ],
)
def test_the_line_and_the_reason(old: str, new: str, line: int, sentence: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(Unreadable) as refused:
        read_game(EXAMPLE.replace(old, new, 1))
    assert (refused.value.line, sentence in str(refused.value)) == (line, True), str(refused.value)


def test_a_text_that_is_no_record() -> None:
    for text in ("hello", "", "\n\n", "{}", "<html></html>", '{"a": 1}'):
        assert judged(text) is None
