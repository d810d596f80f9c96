"""What the pages show of each game: the one table that says which function arranges what, and which template shows it.

A new game gets its entry in `_VIEWS`. Some pages are still about one game: the dialog of a card
(`pages/table.py`) is Krone's, the deck file (`pages/knatsch.py`) is Knatsch's, and `pages/owncards.py` lists the cards
of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.advice.statistics import captures_by_round, cards_by_round
from companion.web.view_models.catalogue import knatsch_catalogue, krone_catalogue
from companion.web.view_models.knatsch import (
    knatsch_board,
    knatsch_lines,
    knatsch_phone,
    knatsch_question,
    without_advice,
)
from companion.web.view_models.krone import krone_lines, krone_phone, krone_question, scoreboard
from companion.web.view_models.moments import Describe, knatsch_moment, krone_moment


@dataclass(frozen=True, slots=True)
class GameView:
    """One game as the pages show it.

    arrange: version, position, names, lines and what else is known → board; lines: the record's lines as they are
    listed; question: a question as it is asked; without_advice: a board that keeps the advice for later; phone: what
    one seat's phone shows besides its board; catalogue: its cards that fit a search, for the template of that name;
    moment: what an event came to, where it is announced;
    rounds: who got which cards in each round; won: cards are won, not bought; all_dice: dice that are not played tell
    something too: a card is named by laying down what it shows.
    """

    arrange: Callable[..., Any]
    lines: Callable[..., Any]
    question: Callable[..., Any]
    without_advice: Callable[[Any], Any]
    phone: Callable[..., dict[str, Any]]
    moment: Describe
    catalogue: Callable[..., dict[str, Any]]
    rounds: Callable[..., Any]
    won: bool
    all_dice: bool
    board_template: str
    overlay_template: str
    phone_template: str
    catalogue_template: str
    situation_template: str
    air_template: str


_VIEWS = {
    "krone": GameView(
        arrange=scoreboard,
        lines=krone_lines,
        question=krone_question,
        without_advice=lambda board: board,  # its template leaves it out
        phone=krone_phone,
        moment=krone_moment,
        catalogue=krone_catalogue,
        rounds=cards_by_round,
        won=False,
        all_dice=False,
        board_template="board.html",
        overlay_template="overlay_board.html",
        phone_template="player_board.html",
        catalogue_template="cards.html",
        situation_template="situation_krone.html",
        air_template="air_krone.html",
    ),
    "knatsch": GameView(
        arrange=knatsch_board,
        lines=knatsch_lines,
        question=knatsch_question,
        without_advice=without_advice,
        phone=knatsch_phone,
        moment=knatsch_moment,
        catalogue=knatsch_catalogue,
        rounds=captures_by_round,
        won=True,
        all_dice=True,
        board_template="knatsch.html",
        overlay_template="overlay_knatsch.html",
        phone_template="player_knatsch.html",
        catalogue_template="cards_knatsch.html",
        situation_template="situation_knatsch.html",
        air_template="air_knatsch.html",
    ),
}


def view_of(game_id: str) -> GameView:
    """How this game is shown."""
    return _VIEWS[game_id]
