"""The two long examples of the rule texts. The short ones are in test_krone_cards.py and test_krone_costs.py."""

from __future__ import annotations

from tests.engine.krone_table import after


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
