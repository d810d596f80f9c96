"""Records: the example of the specification, lenient parsing, canonical writing, corrections."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.krone.events import Buy, Keep, Pass, Roll, Use
from engine.record import Entry
from engine.record_header import new_record
from engine.record_text import read_record, write_record
from engine.replay import event_count, read_game, replay_record
from tests.engine.edits import edited
from tests.engine.example_records import EXAMPLE, FINISHED


def test_the_example_of_the_specification_reads_and_writes_itself() -> None:
    replay = read_game(EXAMPLE)
    assert replay.text() == EXAMPLE
    assert replay.state.tableaux == (("farmer", "philosopher"), ("laborer", "hunter"))
    assert (replay.state.seat, replay.state.round) == ("A", 3)


def test_reading_is_lenient() -> None:
    sloppy = (
        EXAMPLE.replace("\n", "\r\n\r\n")
        .replace("keep 5 5", "KEEP  5   5")
        .replace("B buy laborer", "b BUY Handwerker")
    )
    sloppy = "\ufeff  " + sloppy.replace("use laborer", "use 職人").replace("[Ruleset", "[RULESET").replace(
        "amigo", "AMIGO"
    )
    sloppy = sloppy.replace("A roll 6 6 4 2", "\tA\troll\t2 6\u00a04 6  ").replace("buy hunter", "buy Metsästäjä")
    sloppy = sloppy.replace("A keep 6 6 4 2", "A keep 6\nA keep 4 6 2")
    assert read_game(sloppy).text() == EXAMPLE
    assert read_game(EXAMPLE.replace("\n", "\r")).text() == EXAMPLE


def test_a_line_number_is_the_line_of_the_file_blank_lines_and_crlf_included() -> None:
    text = EXAMPLE.replace("\n\n", "\n\n\n\n").replace("\n", "\r\n").replace("A buy farmer", "A buy guard")
    with pytest.raises(Unreadable) as refused:
        read_game(text)
    assert refused.value.line == 13
    assert str(refused.value) == "A buy guard: the Guard costs three alike: 5 5 3 is not enough"


def test_adjacent_keeps_are_merged_and_the_less_certain_witness_stays() -> None:
    head = '[Players "Anna" "Bert"]\n\nA roll 5 5 2\n'
    replay = read_game(head + "A keep 5 {camera 0.99} {quick}\nA keep 2 {camera 0.9}\nA keep 5 {camera 0.95} {slow}\n")
    assert replay.text().endswith("A keep 5 5 2 {camera 0.9} {quick} {slow}\n")
    assert event_count(replay) == 2
    mixed = read_game(head + "A keep 5 {camera 0.99}\nA keep 5 {person}\nA roll 3")
    assert "A keep 5 5 {person}\n" in mixed.text()
    apart = read_game(head + "A keep 5\nA roll 3 2\nA keep 3\n")
    assert event_count(apart) == 4


def test_witnesses_and_remarks_are_parsed() -> None:
    text = EXAMPLE.replace("A roll 5 5 2", "A roll 5 5 2 {Camera 0.9800} {what a start} {second }")
    text = text.replace("A keep 3\n", "A keep 3 { PERSON }\n{a remark on a line of its own}\n").replace(
        "\n\nA", "\n\n{good luck}\nA"
    )
    replay = read_game(text)
    first, *_ = replay.record.entries
    assert (first.by, first.confidence, first.comments) == ("camera", 0.98, ("what a start", "second"))
    assert replay.record.preface == ("good luck",)
    written = replay.text()
    assert "\n\n{good luck}\nA roll 5 5 2 {camera 0.98} {what a start} {second}\n" in written
    assert "A keep 3 {person} {a remark on a line of its own}\n" in written
    assert read_game(written).text() == written


@pytest.mark.parametrize(
    "remark",
    [
        "person",
        "camera 0.5",
        "a } brace",
        "{",
        "back \\ slash",
        "two\nlines",
        "\\n",
        "ends with \\",
        "{person}",
        "ä 王",
    ],
)
def test_any_remark_reads_back(remark: str) -> None:
    record = new_record("krone", ["Anna", "Bert"])
    replay = edited(replay_record(record), 0, 0, Entry("A", Roll((1, 2, 3)), "camera", 0.12345, (remark,)))
    again = read_game(replay.text())
    assert again.record.entries == (Entry("A", Roll((1, 2, 3)), "camera", 0.1235, (remark,)),)
    assert again.text() == replay.text()
    alone = edited(replay_record(record), 0, 0, Entry("A", Roll((1, 2, 3)), comments=(remark,)))
    assert read_game(alone.text()).record.entries == alone.record.entries


@pytest.mark.parametrize("name", ['Bert "B"', "back\\slash", "[x]", "{y}", "王", "a" * 40, " ", "*", "ends\\"])
def test_any_name_reads_back(name: str) -> None:
    replay = replay_record(new_record("krone", ["Anna", name]))
    assert read_game(replay.text()).record.players == ("Anna", name)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["Anna"], "this game is for 2 to 5 players, not 1"),
        (list("abcdef"), "this game is for 2 to 5 players, not 6"),
        (["Anna", ""], "1 to 40 characters"),
        (["Anna", "x" * 41], "1 to 40 characters"),
        (["Anna", "Anna"], "two players have the name “Anna”"),
        (["Anna", "a\nb"], "1 to 40 characters"),
    ],
)
def test_names_are_one_to_forty_characters_and_unique(names: list[str], sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        new_record("krone", names)


def test_unknown_tags_are_kept_in_their_order() -> None:
    text = '[Game "krone"]\n[_camera "3" "x"]\n[Place "home"]\n[Players "Anna" "Bert"]\n[Place "again"]\n'
    written = read_game(text).text()
    assert written == (
        '[Game "krone"]\n[Ruleset "amigo2006"]\n[Players "Anna" "Bert"]\n[Result "*"]\n'
        '[_camera "3" "x"]\n[Place "home"]\n[Place "again"]\n'
    )
    assert read_game(written).text() == written


def test_the_dice_supply_is_a_tag() -> None:
    for supply, dice in (("12", 12), ("none", None), ("None", None), ("9", 9)):
        assert read_game(f'[Players "A" "B"]\n[DiceSupply "{supply}"]').state.rules.dice == dice
    for bad in ("", "two", "0", "-1", "2"):
        with pytest.raises(Unreadable) as refused:
            read_game(f'[Players "A" "B"]\n[DiceSupply "{bad}"]')
        assert refused.value.line == 2


def test_the_result_agrees_with_the_events() -> None:
    assert read_game(FINISHED).state.winner == "A"
    assert read_game(FINISHED.replace('[Result "Anna"]\n', "")).result == ("Anna",)
    for wrong in (FINISHED.replace('"Anna"]\n\n', '"*"]\n\n'), FINISHED.replace('"Anna"]\n\n', '"Bert"]\n\n')):
        with pytest.raises(Unreadable, match="does not match") as refused:
            read_game(wrong)
        assert refused.value.line == 3
    with pytest.raises(Unreadable, match="does not match"):
        read_game(EXAMPLE.replace('[Result "*"]', '[Result "Anna"]'))


def test_after_the_end_nothing_follows() -> None:
    with pytest.raises(Unreadable, match="the game is over") as refused:
        read_game(FINISHED + "A roll 1 2 3\n")
    assert refused.value.line == 11


def test_entries_that_a_correction_makes_illegal_stay_and_are_named() -> None:
    replay = read_game(EXAMPLE)
    corrected = edited(replay, 0, 1, Entry("A", Roll((5, 5, 1)), by="person"))
    assert corrected.broken is None
    broken = edited(replay, 0, 1, Entry("A", Roll((6, 5, 2)), by="person"))
    assert broken.broken is not None
    assert (broken.broken.index, broken.broken.entry.line) == (1, 8)
    assert "5 5 is not among 6 5 2" in str(broken.broken.reason)
    assert len(broken.record.entries) == 19
    assert broken.result == ("*",)
    repaired = edited(broken, 1, 2, Entry("A", Keep((6,))), Entry("A", Roll((3, 6))))
    assert repaired.broken is not None
    assert repaired.broken.index == 4
    removed = edited(replay, 4, 1)
    assert removed.broken is not None  # without the Farmer, A rolls three dice later
    assert removed.broken.entry == replay.record.entries[16]
    again = edited(removed, 4, 0, Entry("A", Buy("farmer")))
    assert again.broken is None
    assert again.state == replay.state
    inserted = edited(replay, 9, 0, Entry("B", Use("laborer")))
    assert inserted.broken is not None
    assert inserted.broken.index == 10
    assert "the Laborer was already used this turn" in str(inserted.broken.reason)


def test_a_broken_record_is_written_whole_and_says_so_when_read() -> None:
    text = edited(read_game(EXAMPLE), 4, 1).text()
    assert len(read_record(text).entries) == 18
    with pytest.raises(Unreadable) as refused:
        read_game(text)
    assert refused.value.line == text.split("\n").index("A roll 6 6 4 2") + 1


def test_an_illegal_last_entry_breaks_the_record_there() -> None:
    replay = read_game(EXAMPLE)
    for entry in (Entry("B", Roll((1, 2, 3))), Entry("A", Pass()), Entry("A", Buy("king")), Entry("B", Buy("maid"))):
        broken = edited(replay, len(replay.record.entries), 0, entry)
        assert broken.broken is not None
        assert broken.states == replay.states


def test_a_record_of_thirty_turns_is_small() -> None:
    import random

    from engine.krone.state import RULESETS
    from tests.engine.krone_players import random_game

    line = random_game(random.Random(5), 2, RULESETS["amigo2006"], 3000)
    turns, entries = 0, []
    for _state, seat, event in line:
        entries.append(Entry(seat, event, "camera", 0.98))
        turns += isinstance(event, (Buy, Pass))
        if turns == 30:
            break
    from dataclasses import replace

    text = write_record(replace(new_record("krone", ["Anna", "Bert"]), entries=tuple(entries)))
    assert len(text.encode()) < 10_000
