"""The plug-in of Um Krone und Kragen."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game.card_evidence import DISPLAY
from companion.game.referee.kept_dice import usual
from companion.games.krone import transitions
from companion.games.krone.achievements import ACHIEVEMENTS
from companion.games.krone.advice import (
    chances_to_win,
    changed,
    evaluate,
    followed,
    in_words,
    review_parts,
    think,
    unchanged,
)
from companion.games.krone.board import cards_by_round, choices, krone_lines, krone_phone, scoreboard
from companion.games.krone.card_options import use_dialog
from companion.games.krone.card_referee import SENTENCES, CardReferee
from companion.games.krone.counting import hand_due
from companion.games.krone.moments import krone_moment
from companion.games.krone.words import card_cost, card_row, does_template, krone_catalogue, messages
from companion.i18n.languages import gettext
from companion.plugins import CardWatching, GamePlugin, GameReview, GameView, WhatIf
from engine.krone.cards import CARDS


def _tags(form: Mapping[str, str], deck: bytes) -> dict[str, str]:
    return {"DiceSupply": "none"} if form.get("DiceSupply") == "none" else {}


PLUGIN = GamePlugin(
    id="krone",
    title=lambda: gettext("To Court the King"),
    credit=lambda: gettext("To Court the King, Tom Lehmann"),
    transitions=usual(transitions),
    expected_dice=hand_due,
    followed=followed,
    view=GameView(
        make_board=scoreboard,
        lines=krone_lines,
        phone=krone_phone,
        choices=choices,
        moment=krone_moment,
        catalogue=krone_catalogue,
        rounds=cards_by_round,
        filters={"card_cost": card_cost, "card_row": card_row},
        verbs=lambda: {"buy king": gettext("claims the King")},
        turn_end_verbs=("buy", "pass"),
        crown=True,
        rounds_title=lambda: gettext("Cards by round"),
        advice_note=lambda: gettext(
            "The chances to get a card or to beat a result are exact. The chance to win is estimated from "
            "simulated games and can be off by some points. In the final round some results are calculated, the "
            "others estimated from them, and it can be off by a few points."
        ),
    ),
    achievements=ACHIEVEMENTS,
    goal=lambda: gettext(
        "Roll dice, set some aside and take a card for your result. Cards add or change dice. Seven "
        "alike claim the King; then everyone has one last turn to beat them."
    ),
    example=lambda: (
        ("A roll 5 5 2", gettext("Roll your three dice.")),
        ("A keep 5 5", gettext("Set aside at least one die after each roll. Here the two 5s.")),
        ("A roll 5", gettext("Roll the rest again, until all dice are set aside. Another 5!")),
        ("A keep 5", ""),
        ("A buy guard", gettext("Three alike buy the Guard. It helps you from your next turn on.")),
    ),
    think=think,
    odds="companion.games.krone.odds:command",
    win_chances=chances_to_win,
    review=GameReview(review_parts, in_words),
    what_if=WhatIf(unchanged, changed, evaluate, tuple(card for card in CARDS if card not in ("king", "queen"))),
    cards=CardWatching(
        referee=CardReferee,
        places={DISPLAY: lambda: gettext("Cards for sale")},
        kinds=lambda: list(CARDS),
        does=does_template,
        learns_places=True,
        hint=lambda: gettext("Fool and Charlatan are two sides of one card. Show both."),
    ),
    bought_late=tuple(card for card in CARDS if card != "king"),
    effects={id: card.ability for id, card in CARDS.items()},
    use_dialog=use_dialog,
    options="krone_options.html",
    messages=lambda: (*messages(), *SENTENCES),
    tags=_tags,
)
