"""The worked examples of the rule texts, line by line."""

from __future__ import annotations

from engine.dice import faces
from engine.krone.costs import met
from tests.engine.krone_table import after, at


def test_example_1_laborer_guard_and_astronomer_buy_the_hunter() -> None:
    state = after(
        "A laborer guard astronomer; B -",
        "A roll 6 5 2",
        "A keep 2",
        "A use laborer",
        "A roll 5 3 3",
        "A use guard",
        "A keep 2",
        "A roll 6 5 4",
        "A use astronomer 4 > 2",
        "A keep 2",
        "A roll 3 2",
        "A keep 2",
        "A roll 4",
        "A keep 4",
    )
    assert state.turn.kept == (2, 2, 2, 2, 4)
    assert "hunter" in state.purchases()
    assert after(state, "A buy hunter").tableau("A") == ("laborer", "guard", "hunter", "astronomer")


def test_example_2_three_fives_buy_farmer_laborer_guard_maid_and_fool() -> None:
    state = after("A -; B -", "A roll 5 5 5", "A keep 5 5 5")
    assert set(state.purchases()) == {"farmer", "laborer", "guard", "maid", "fool"}


def test_example_3_philosopher_makes_531_into_333() -> None:
    state = after("A philosopher; B -", "A roll 5 3 1", "A use philosopher 5 1 > 3 3")
    assert state.turn.active == (3, 3, 3)


def test_example_3_alchemist_makes_255_into_444_and_621_into_333() -> None:
    state = after("A alchemist; B -", "A roll 2 5 5", "A use alchemist 5 5 2 > 4 4 4")
    assert state.turn.active == (4, 4, 4)
    state = after("A alchemist; B -", "A roll 6 2 1", "A use alchemist 6 2 1 > 3 3 3")
    assert state.turn.active == (3, 3, 3)


def test_example_4_astronomer_copies_a_three_set_aside() -> None:
    state = after("A astronomer; B -; active 1; kept 3 3", "A use astronomer 1 > 3", "A keep 3")
    assert state.turn.kept == (3, 3, 3)


EXAMPLE_5 = """
    A charlatan charlatan farmer laborer; B farmer laborer general; C farmer laborer guard general;
    D charlatan charlatan guard hunter knight; turn B; round 6; start A; active 2 2 2 2 2 2 2; used laborer; duty
"""


def test_example_5_the_final_round() -> None:
    state = after(EXAMPLE_5, "B keep 2 2 2 2 2 2 2", "B buy king")
    assert state.seat == "C"
    assert not state.final
    assert {"king", "queen"} <= set(state.tableau("B"))
    state = after(state, "C roll 6 5 4 3 2 1", "C keep 6 5 4 3 2 1", "C pass")
    state = after(state, "D roll 6 5 4 3 2", "D keep 6 5 4 3 2", "D pass")
    assert state.final
    assert state.seat == "D"
    assert state.threshold == (7, 2)
    state = after(
        state,
        "D use guard",
        "D use hunter",
        "D use knight",
        "D roll 1 1 1 1 1 1 1 1",
        "D keep 1 1 1 1 1 1 1 1",
        "D pass",
    )
    assert state.king == "D"
    assert state.claimant == "B"
    assert state.threshold == (8, 1)
    assert "king" in state.tableau("D")
    assert "king" not in state.tableau("B")
    assert "queen" in state.tableau("B")
    assert state.seat == "A"
    state = after(state, "A pass")
    assert state.seat == "C"
    state = after(state, "C use laborer", "C use guard", "C roll 3 3 3 3 3 3 3 3", "C keep 3 3 3 3 3 3 3 3", "C pass")
    assert state.king == "C"
    assert state.seat == "B"
    assert not state.finished
    state = after(state, "B use queen 4", "B use laborer", "B roll 4 4 4 4 4 4 4 4", "B keep 4 4 4 4 4 4 4 4", "B pass")
    assert state.finished
    assert state.winner == "B"
    assert "king" in state.tableau("B")


def test_a_finnish_example_buys_the_laborer_with_fifteen() -> None:
    assert "laborer" in met(faces([5, 5, 5]))


def test_example_positions_read_back() -> None:
    assert at(EXAMPLE_5).turn.dice == 7
