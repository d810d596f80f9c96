"""What a person enters is true: the likeliest history that allows it becomes the record."""

from __future__ import annotations

import pytest

from companion.game.table import Table
from engine.errors import Illegal
from tests.kit.laid_table import LaidTable
from tests.referee.refereed import answers, events, table


def doubtful_die() -> Table:
    """A rolled three fours, of which one seems to show 1, not quite surely."""
    game_, laid = table(), LaidTable()
    laid.throw((4, 4, 4))
    die = laid.active(4)
    die.seems, die.sure = 1, 0.88
    game_.see(laid.read())
    assert events(game_) == ["A roll 4 4 1"]
    assert answers(game_) == []
    return game_


def test_a_purchase_that_needs_another_face_of_a_doubtful_die_corrects_it() -> None:
    """Bug: it was refused, because only open questions were tried, and a doubt waits for the end of the turn."""
    game_ = doubtful_die()
    game_.enter("A buy guard")  # three alike
    assert events(game_) == ["A roll 4 4 4", "A keep 4 4 4", "A buy guard"]
    assert answers(game_) == [["A roll 4 4 4", "A roll 4 4 1"]]  # the correction is mentioned
    assert not any(question.matters for question in game_.questions)


def test_a_purchase_that_no_likely_history_allows_is_refused_with_its_reason() -> None:
    game_ = doubtful_die()
    with pytest.raises(Illegal):
        game_.enter("A buy knight")
    assert events(game_) == ["A roll 4 4 1"]
