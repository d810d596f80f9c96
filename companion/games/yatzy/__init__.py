"""The plug-in of Yatzy: no cards, no win probabilities; the advice is exact for one player."""

from __future__ import annotations

from companion.game.referee.kept_dice import usual
from companion.games.yatzy import transitions
from companion.games.yatzy.achievements import ACHIEVEMENTS
from companion.games.yatzy.advice import MESSAGES, think
from companion.games.yatzy.board import line_choices, make_board, moment, phone, record_lines
from companion.i18n.languages import gettext
from companion.plugins import GamePlugin, GameView
from engine.yatzy.boxes import DICE

PLUGIN = GamePlugin(
    id="yatzy",
    title=lambda: gettext("Yatzy"),
    transitions=usual(transitions),
    expected_dice=lambda state: DICE,
    view=GameView(
        make_board=make_board,
        lines=record_lines,
        phone=phone,
        choices=line_choices,
        moment=moment,
        verbs=lambda: {"score": gettext("scores %(what)s"), "keep": gettext("keeps no dice")},
        turn_end_verbs=("score",),
        advice_note=lambda: gettext(
            "The averages are exact for a player who wants as many points as possible. They do not consider the other "
            "players’ points."
        ),
    ),
    achievements=ACHIEVEMENTS,
    goal=lambda: gettext(
        "Roll up to three times and keep what you like. Then write the dice into one free box of your scoresheet. The "
        "most points win."
    ),
    example=lambda: (
        ("A roll 5 5 1 2 3", gettext("Roll all five dice.")),
        ("A keep 5 5", gettext("Keep what you like and roll the rest, at most twice.")),
        ("A roll 5 6 6", gettext("Three 5s and two 6s: good enough to stop.")),
        (
            "A score full-house",
            gettext("Write the dice into one free box. A full house scores the sum of all dice, here 27."),
        ),
    ),
    think=think,
    options="yatzy_options.html",
    messages=lambda: (*MESSAGES, transitions.CHOOSE_THE_BOX),
)
