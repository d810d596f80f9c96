"""`courtside watch SRC --players …`: prints events, reads purchases from standard input, and keeps the record on
disk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import courtside
from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.games import game
from engine.krone.state import RULESETS, new_game, new_turn
from engine.record_header import new_record
from engine.replay import read_game
from tests.kit.example_records import EVENTS
from tests.kit.laid_table import LaidTable
from tests.kit.script import Clear, Step, steps

BOUGHT = ["A buy farmer", "B buy laborer", "B buy hunter", "A buy philosopher"]


class CollectedRecording(Recording):
    """A recording that collects its lines and complaints."""

    def __init__(
        self, file: Path | None = None, as_json: bool = True, live: bool = False, table: Table | None = None
    ) -> None:
        self.lines: list[str] = []
        self.complaints: list[str] = []
        header = new_record("krone", ["Anna", "Bert"])
        table = table or Table(header, referee_for(header))
        super().__init__(table, self.lines.append, self.complaints.append, as_json=as_json, file=file, live=live)

    @property
    def objects(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.lines]


def watch(recording: Recording, script: list[Step], typed: bool = False) -> None:
    """Performs the script in front of the recording; with `typed`, enters each purchase when it happens."""
    for seen in LaidTable().perform(script):
        if not isinstance(seen, str):
            recording.see(seen)
        elif typed:
            recording.typed(seen)


def test_purchases_all_given_at_once_wait_for_their_places(tmp_path: Path) -> None:
    explained = CollectedRecording(tmp_path / "game.txt")
    for line in BOUGHT:
        explained.typed(line)
    watch(explained, list(steps(EVENTS)))
    explained.finish()
    assert [line.event for line in explained.table.lines] == EVENTS.splitlines()
    assert explained.complaints == []


def test_purchases_given_only_after_everything_was_seen_find_their_places() -> None:
    explained = CollectedRecording()
    watch(explained, list(steps("\n".join(EVENTS.splitlines()[:8]))))
    for line in BOUGHT[:2]:
        explained.typed(line)
    assert [line.event for line in explained.table.lines] == EVENTS.splitlines()[:8]


def test_purchases_typed_as_they_happen_beside_a_camera() -> None:
    explained = CollectedRecording(live=True)
    watch(explained, list(steps(EVENTS)), typed=True)
    assert [line.event for line in explained.table.lines] == EVENTS.splitlines()


def test_a_purchase_the_first_turn_cannot_pay_for_waits_for_one_that_can() -> None:
    explained = CollectedRecording()
    explained.typed("A buy hunter")
    explained.typed("B pass")
    explained.typed("B pass")
    script = [*steps("A roll 5 5 2\nA keep 5 5 2"), Clear(), *steps("B roll 6 4 1\nB keep 6 4 1"), Clear()]
    script += [*steps("B roll 6 4 1\nB keep 6 4 1"), Clear(), *steps("A roll 4 4 4\nA keep 4 4 4"), Clear()]
    watch(explained, script)
    explained.finish()
    assert "A buy hunter" not in [line.event for line in explained.table.lines]
    assert explained.complaints == [
        "“A buy hunter” never had its place: the Hunter costs four alike: 4 4 4 is not enough"
    ]


def test_a_pass_typed_before_its_turn_waits_for_the_dice() -> None:
    """Bug: in a final round players may pass without a roll, so a pass typed ahead ended the turn before its dice were
    rolled."""
    rules = RULESETS["amigo2006"]
    last = replace(
        new_game(3, rules),
        tableaux=((), ("queen", "king"), ()),
        turn=new_turn(rules, ()),
        **{"claimant": "B", "king": "B", "threshold": (7, 2), "final": True, "start": "A"},
    )
    header = new_record("krone", ["Anna", "Bert", "Cora"], Position=game("krone").position_text(last))
    explained = CollectedRecording(table=Table(header, referee_for(header)))
    explained.typed("C pass")
    script = [*steps("A roll 5 5 2\nA keep 5 5 2\nA pass"), *steps("C roll 6 4 1\nC keep 6 4 1"), Clear()]
    watch(explained, script, typed=True)
    explained.finish()
    assert [line.event for line in explained.table.lines][-3:] == ["C roll 6 4 1", "C keep 6 4 1", "C pass"]


def test_a_typed_line_settles_a_guess_of_the_referee() -> None:
    explained = CollectedRecording()
    explained.typed("B pass")
    explained.typed("B pass")
    script = [*steps("A roll 5 5 2\nA keep 5 5 2"), Clear(), *steps("B roll 6 4 1\nB keep 6 4 1"), Clear()]
    script += [
        *steps("B roll 6 4 1\nB keep 6 4 1"),
        Clear(),
        *steps("A roll 6 4 4 1\nA keep 6\nA roll 4 4 1\nA keep 4\nA roll 4 1"),
    ]
    watch(explained, script)
    assert [question.answers for question in explained.table.questions] == [(("A buy farmer",),)]
    explained.typed("A buy farmer")
    assert explained.table.questions == ()
    assert [line.event for line in explained.table.lines].count("A buy farmer") == 1


def test_each_event_is_one_object_with_exactly_the_agreed_keys() -> None:
    explained = CollectedRecording()
    explained.typed("A buy farmer")
    watch(explained, [*steps("A roll 5 5 2\nA keep 5 5 2"), Clear()])
    for found in explained.objects:
        assert list(found) == ["seat", "event", "frame", "seconds", "by", "confidence"]
    assert [(found["seat"], found["event"], found["by"]) for found in explained.objects] == [
        ("A", "roll 5 5 2", "camera"),
        ("A", "keep 5 5 2", "camera"),
        ("A", "buy farmer", "person"),
    ]
    assert explained.objects[0]["frame"] == 60
    assert explained.objects[0]["seconds"] == 2.0
    assert explained.objects[2]["confidence"] is None


def test_a_doubt_is_reported_with_its_event_and_answered_by_a_line() -> None:
    explained = CollectedRecording()
    laid = LaidTable()
    laid.throw((5, 5, 2))
    laid.active(2).seems, laid.active(2).sure = 3, 0.6
    explained.see(laid.read())
    doubtful = explained.objects[0]
    assert doubtful["event"] == "roll 5 5 3"
    assert doubtful["doubt"] == "I am not sure about this roll. Is it “roll 5 5 3” or “roll 5 5 2”?"
    assert doubtful["answers"][:2] == ["A roll 5 5 3", "A roll 5 5 2"]
    explained.typed("answer 2")
    assert [line.event for line in explained.table.lines] == ["A roll 5 5 2"]
    explained.typed("undo")
    assert [line.event for line in explained.table.lines] == ["A roll 5 5 3"]


def test_a_sentence_about_the_table_is_printed_once() -> None:
    explained = CollectedRecording()
    laid = LaidTable()
    laid.throw((5, 5, 2, 1))
    for _ in range(5):
        explained.see(laid.read())
    assert [found["doubt"] for found in explained.objects] == [
        "I see 4 dice but expected 3. Is one of them not part of the game?"
    ]
    assert explained.objects[0]["event"] is None


def test_the_record_on_disk_is_whole_after_every_event(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    explained = CollectedRecording(file)
    states = []
    for seen in LaidTable().perform(steps(EVENTS)):
        if isinstance(seen, str):
            explained.typed(seen)
        else:
            explained.see(seen)
        states.append(len(read_game(file.read_text("utf-8")).record.entries))
    assert states == sorted(states)
    assert read_game(file.read_text("utf-8")).state == explained.table.state
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


def test_an_unknown_line_is_refused_in_a_sentence() -> None:
    explained = CollectedRecording()
    explained.typed("A buy elephant")
    explained.typed("answer 1")
    explained.typed("")
    assert explained.complaints == [
        "“A buy elephant”: there is no card “elephant”",
        "say “answer 2” for the second answer of the last question; no question is open otherwise",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.mp4"], "add --players"),
        (["none.mp4", "--players", "Anna"], "this game is for 2 to 5 players, not 1"),
        (["none.mp4", "--players", "Anna,Bert", "--ruleset", "house"], "there is no ruleset “house”"),
        (["none.mp4", "--players", "Anna,Bert"], "none.mp4"),
    ],
)
def test_wrong_usage_ends_with_one_sentence_and_status_2(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(courtside, ["watch", *arguments])
    assert done.exit_code == 2
    assert sentence in done.output
    assert "Traceback" not in done.output
