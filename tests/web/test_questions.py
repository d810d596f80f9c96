"""Questions of the camera on the board: one at a time, and each answer shows only what distinguishes it."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from companion.game.changes import Change, Line, Question, Sentence
from companion.game.referee.sentences import WHAT_HAPPENED, WHICH_CARD, WHICH_VALUE
from companion.game.table import Table
from companion.games.krone.board import krone_lines
from companion.games.parts import differences
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from engine.record_header import new_record
from tests.kit.visitors import with_token

CALLED = {"A": "Anna", "B": "Bert"}
VALUES = (("A roll 6 6 5 2",), ("A roll 6 5 5 2",))
STEPS = (("A keep 6 6", "A roll 5 4"), ("A keep 6", "A roll 5 4"))  # one hand is part of the other
CARDS = (("A use fool 4 > 3",), ("A use merchant 4 > 3",))


def asked_of(app_state: AppState, *questions: tuple[str, tuple[tuple[str, ...], ...], tuple[int, ...]]) -> Table:
    """A table at which the camera asks these questions: template, answers, lines."""
    events = ("A roll 6 6 5 2", "A keep 6 6", "A roll 5 4", "A use fool 4 > 3")
    lines = tuple(Line(number, event, "camera") for number, event in enumerate(events, 1))
    values = {"first": "A roll 6 6 5 2", "second": "A roll 6 5 5 2", "cards": "fool, merchant"}
    asked = tuple(
        Question(Sentence(template, values), where, answers, number)
        for number, (template, answers, where) in enumerate(questions, 1)
    )
    record = new_record("krone", ("Anna", "Bert"), Position="amigo2006; A fool merchant farmer; B -")
    table = Table(record, changes=[Change(1, "enter", "camera", 0, (), lines, asked)])
    app_state.session.begin(table, None)
    return table


@pytest.fixture
def board(app_state: AppState, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(app_state, Pairing(tmp_path_factory.mktemp("app")), Settings(port=1, local_only=True, hosts=None))


def text(app: Flask, path: str = "/board") -> str:
    return " ".join(app.test_client().get(path).get_data(as_text=True).split())


def skip(app: Flask, question: str) -> None:
    client = with_token(app.test_client())
    assert client.post("/skip", data={"question": question, "csrf": "known"}).status_code == 303


def test_only_the_newest_question_is_asked_and_the_others_are_counted(app_state: AppState, board: Flask) -> None:
    asked_of(app_state, (WHICH_VALUE, VALUES, (1,)), (WHAT_HAPPENED, STEPS, (2, 3)), (WHICH_CARD, CARDS, (4,)))
    page = text(board)
    assert re.findall(r'data-key="question-(\d+)"', page) == ["3"]
    assert "2 more" in page


def test_a_skipped_question_makes_way_for_the_next_and_its_line_keeps_the_doubt(
    app_state: AppState, board: Flask
) -> None:
    table = asked_of(app_state, (WHICH_VALUE, VALUES, (1,)), (WHICH_CARD, CARDS, (4,)))
    skip(board, "2")
    page = text(board)
    assert re.findall(r'data-key="question-(\d+)"', page) == ["1"]
    assert "or: Merchant?" in page
    assert [line.event for line in table.lines][3] == "A use fool 4 > 3"
    assert 'name="answer" value="1"' in text(board, "/correct/4")


def test_a_question_does_not_print_its_answers_twice(app_state: AppState, board: Flask) -> None:
    asked_of(app_state, (WHICH_VALUE, VALUES, (1,)))
    question = text(board).split('data-key="question-1"')[1].split('data-key="tray"')[0]
    assert "What do the dice show?" in question
    assert "6 6 5 2" not in question


@pytest.mark.parametrize(
    ("answers", "verbs", "dice"),
    [
        (VALUES, [[""], [""]], [[(6,)], [(5,)]]),
        (STEPS, [[""], [""]], [[(6, 6)], [(6,)]]),
        (CARDS, [[""], [""]], [[()], [()]]),
        ((("A roll 5 5",), ()), [["roll"], []], [[(5, 5)], []]),
    ],
)
def test_of_each_answer_only_the_difference_remains(
    answers: tuple[tuple[str, ...], ...], verbs: list[list[str]], dice: list[list[tuple[int, ...]]]
) -> None:
    named = [krone_lines([Line(0, event, "camera") for event in answer], CALLED) for answer in answers]
    left = differences(named)
    assert [[line.verb for line in answer] for answer in left] == verbs
    assert [[line.dice for line in answer] for answer in left] == dice
