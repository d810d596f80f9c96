"""Game events as sentences in the visitor's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from flask import Flask

from companion.game.record_line import RecordLine
from companion.i18n.languages import gettext
from companion.i18n.words import card_name, dice_words
from companion.plugins import plugins


def place_words(words: Sequence[str], owner: str = "") -> str:
    """A place or a card in words.

    Args:
        owner: Name of the player who has the card.
    """
    texts = {word: text for one in plugins() for word, text in one.view.places().items()}
    found = [texts.get(word) or card_name(word) for word in words]
    return " · ".join([owner, *found] if owner else found)


def verb_words(verb: str, words: Sequence[str], owner: str = "") -> str:
    """An event of a game in that game's words."""
    text = _game_text("verbs", verb)
    return " ".join((verb, *words)) if text is None else text.replace("%(what)s", place_words(words, owner))


def _game_text(kind: Literal["verbs", "buttons"], verb: str) -> str | None:
    """The sentence of the first game that has one for this verb."""
    tables = (getattr(one.view, kind)() for one in plugins())
    return next((texts[verb] for texts in tables if verb in texts), None)


def move_words(move: str) -> str:
    """A legal move (`A under left`) as the text of its button."""
    _, verb, *words = move.split()
    text = _game_text("buttons", verb)
    return verb_words(verb, words) if text is None else text.replace("%(what)s", place_words(words))


def spoken_line(line: RecordLine) -> str:
    """An event in words, with its dice."""
    return f"{event_sentence(line)} {line.shows or dice_words(line.dice)}".strip()


def event_sentence(line: RecordLine) -> str:
    """An event in words, without its dice."""
    card = card_name(line.card) if line.card else ""
    own = _game_text("verbs", f"{line.verb} {line.card}")
    if own is not None:
        return own
    match line.verb:
        case "":
            return card  # one of several answers that differ only in the card or the dice
        case "roll":
            return gettext("rolls")
        case "keep" if line.dice:
            return gettext("sets aside")
        case "use" if line.before:
            return gettext("uses %(card)s: %(dice)s become", card=card, dice=dice_words(line.before))
        case "use":
            return gettext("uses %(card)s", card=card)
        case "buy":
            return gettext("takes %(card)s", card=card)
        case "pass":
            return gettext("takes no card")
        case verb:
            return verb_words(verb, line.words, line.owner)


def choice_words(line: RecordLine) -> str:
    """An event as an option of the correction form."""
    texts = {"roll": gettext("Roll"), "keep": gettext("Set aside"), "pass": gettext("Take no card")}
    return texts.get(line.verb) or event_sentence(line)


def init_event_words(app: Flask) -> None:
    """Registers these functions with an app's templates."""
    app.jinja_env.filters.update(
        spoken=spoken_line,
        choice_words=choice_words,
        event_sentence=event_sentence,
        place_words=place_words,
        move_words=move_words,
    )
