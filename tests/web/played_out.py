"""Plays a game to its end on the shortest way."""

from __future__ import annotations

from pathlib import Path

from companion.web.app_state import AppState
from companion.web.sessions import begin_game

PLAYED = (Path(__file__).parents[1] / "golden" / "krone_riogrande.txt").read_text(encoding="utf-8")


def play_to_the_end(here: AppState, names: tuple[str, ...] = ("Anna", "Bert", "Cleo", "Dora"), limit: str = "") -> None:
    """The golden game of four, which the third player wins. limit: seconds for a turn."""
    begin_game(here, "krone", names, "riogrande2007", **({"TurnSeconds": limit} if limit else {}))
    assert here.session.running is not None
    for line in PLAYED.partition("\n\n")[2].splitlines():
        if line[:2] in ("A ", "B ", "C ", "D "):
            here.session.running.table.enter(line.partition("{")[0].strip())
    assert here.session.running.table.state.winner == "C"
