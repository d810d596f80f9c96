"""The plug-in of Knatsch."""

from __future__ import annotations

from companion.game.referee.kept_dice import usual
from companion.games.knatsch import transitions
from companion.games.knatsch.achievements import ACHIEVEMENTS
from companion.games.knatsch.advice import (
    chances_to_win,
    changed,
    evaluate,
    in_words,
    review_parts,
    think,
    unchanged,
)
from companion.games.knatsch.board import (
    captures_by_round,
    choices,
    knatsch_board,
    knatsch_lines,
    knatsch_phone,
)
from companion.games.knatsch.cards import STACKS, WHICH_CARD, KnatschCardReferee
from companion.games.knatsch.decks import deck_file_tags, deck_form_tags, deck_text
from companion.games.knatsch.moments import knatsch_moment
from companion.games.knatsch.words import (
    MESSAGES,
    asked_combination,
    buttons,
    card_crest,
    card_kind,
    does_template,
    knatsch_catalogue,
    places,
    verbs,
)
from companion.i18n.languages import gettext
from companion.plugins import CardWatching, GamePlugin, GameReview, GameView, WhatIf
from engine.knatsch.advice import why, words
from engine.knatsch.deck import BOX
from engine.knatsch.state import DICE

PLUGIN = GamePlugin(
    id="knatsch",
    title=lambda: "Knatsch",
    credit=lambda: gettext("Knatsch, Michael Schacht"),
    transitions=usual(transitions),
    expected_dice=lambda state: DICE,
    view=GameView(
        make_board=knatsch_board,
        lines=knatsch_lines,
        phone=knatsch_phone,
        choices=choices,
        moment=knatsch_moment,
        catalogue=knatsch_catalogue,
        rounds=captures_by_round,
        rounds_title=lambda: gettext("Cards won by round"),
        advice_note=lambda: gettext(
            "The chance to get a card is exact. The chance to win is estimated from simulated games and can be off by "
            "many points."
        ),
        filters={"card_kind": card_kind, "card_crest": card_crest},
        verbs=verbs,
        buttons=buttons,
        places=places,
        forms={"combination": asked_combination},
        turn_end_verbs=("target", "lose", "decline"),
        all_dice=True,
        sprite_template="knatsch_sprite.html",
    ),
    achievements=ACHIEVEMENTS,
    goal=lambda: gettext(
        "Beat the dice on a card to take it, from a stack or from another player. You win with four "
        "castles, with two castles and three tournaments, or with three castles and beating the King."
    ),
    example=lambda: (
        ("A deal castle-red", ""),
        ("B deal castle-blue", ""),
        ("A reveal left castle-black 1-1-1+1", ""),
        ("A target left", gettext("Choose a card to attack. This one shows three 1s and a reserve die.")),
        ("A roll 5 5 4 3 2 1", gettext("Roll six dice. A 6 counts for nothing.")),
        ("A keep 5 5", gettext("Keep what you like and roll the rest, at most twice.")),
        (
            "A roll 5 4 2 1",
            gettext("Three 5s beat three 1s, so the card is yours. If both show the same, the reserve decides."),
        ),
    ),
    think=think,
    odds="companion.games.knatsch.odds:command",
    win_chances=chances_to_win,
    review=GameReview(review_parts, in_words),
    what_if=WhatIf(unchanged, changed, evaluate),
    cards=CardWatching(
        referee=KnatschCardReferee,
        places=dict(zip(STACKS, (lambda: places()["left"], lambda: places()["right"]), strict=True)),
        kinds=lambda: [*BOX.ids, "king"],
        does=does_template,
        learns_places=False,
    ),
    options="knatsch_options.html",
    messages=lambda: (WHICH_CARD, *MESSAGES, *words.TEMPLATES, *why.TEMPLATES),
    tags=lambda form, deck: deck_form_tags(deck),
    deck_tags=deck_file_tags,
    deck_text=lambda state: deck_text(state.learned()),
)
