"""The engine's values in the visitor's language: cards, costs, abilities, percentages, dates.

Numbers, dates and times have the medium formats of the Unicode CLDR.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from flask import Flask

from companion.i18n.languages import current_language, gettext
from companion.plugins import plugin, plugins
from engine.names import called
from engine.registry import GAME_IDS


def card_name(card: str) -> str:
    """The card's name in the visitor's language."""
    word = called(card, current_language())
    return card if word is None else word[:1].upper() + word[1:]


def unbroken(text: str) -> str:
    """The text with word joiners around hyphens, so that no line breaks inside runs such as `1-2-3-4-5`."""
    return text.replace("-", "\N{WORD JOINER}-\N{WORD JOINER}")


def card_does(card: str) -> str:
    """The effect of the card in words, "" for none."""
    texts = (one.cards.does(card) for one in plugins() if one.cards)
    return next((gettext(does) for does in texts if does), "")


def dice_words(faces: Sequence[int]) -> str:
    """Dice as digits; an unread one is a question mark."""
    return " ".join(str(face) if face else "?" for face in faces)


def face_word(face: int) -> str:
    """A die's value in words, for screen readers."""
    return str(face) if face else gettext("not read yet")


def as_percent(chance: float) -> str:
    """A probability as a percentage: 0% and 100% only if it is certain."""
    if 0 < chance < 0.005:
        return f"< {percent_text('1%')}"
    if 0.995 <= chance < 1:
        return f"> {percent_text('99%')}"
    return percent_text(f"{chance:.0%}")


def percent_text(text: str) -> str:
    """A percentage of the engine, `3.5%`, formatted in the visitor's language."""
    language = current_language()
    text = text.replace(".", ",") if language in DECIMAL_COMMA else text
    return text.replace("%", "\N{NO-BREAK SPACE}%") if language in ("de", "fi") else text


def decimal(value: float, digits: int = 1) -> str:
    """A number with this many decimals, formatted in the visitor's language."""
    return number_text(value, digits, current_language())


def motion_words() -> dict[str, str]:
    """The state of the camera in words, by the names of `vision.types.Motion`."""
    return {
        "empty": gettext("The table is empty"),
        "moving": gettext("Dice are rolling"),
        "hand": gettext("A hand is over the dice"),
        "settling": gettext("The dice are settling"),
        "stable": gettext("The dice are still"),
        "lost": gettext("No picture from the camera"),
    }


def game_name(game: str) -> str:
    """The game's name as players call it."""
    return plugin(game).title() if game in GAME_IDS else game


def when(moment: datetime) -> str:
    """Date and time in this computer's time zone."""
    return moment_text(moment.astimezone(), current_language())


def day_text(day: date) -> str:
    """A date in the visitor's language."""
    return date_text(day, current_language())


def init_words(app: Flask) -> None:
    """Registers these functions with an app's templates."""
    app.jinja_env.globals["motion_words"] = motion_words
    for one in plugins():
        app.jinja_env.filters.update(one.view.filters)
    app.jinja_env.filters.update(
        card_name=card_name,
        game_name=game_name,
        when=when,
        day=day_text,
        unbroken=unbroken,
        card_does=card_does,
        face_word=face_word,
        as_percent=as_percent,
        decimal=decimal,
    )


DECIMAL_COMMA = frozenset({"de", "fi", "nl"})
_MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "nl": ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"),
}


def number_text(value: float, digits: int, language: str) -> str:
    """A number rounded to `digits` decimals, halves to even."""
    text = f"{Decimal(str(value)):.{digits}f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text


def date_text(day: date, language: str) -> str:
    """A date, for example 28 nov 2026."""
    match language:
        case "de":
            return f"{day:%d.%m.%Y}"
        case "fi":
            return f"{day.day}.{day.month}.{day.year}"
        case "ja":
            return f"{day:%Y/%m/%d}"
        case "nl":
            return f"{day.day} {_MONTHS['nl'][day.month - 1]} {day.year}"
        case _:
            return f"{_MONTHS['en'][day.month - 1]} {day.day}, {day.year}"


def moment_text(moment: datetime, language: str) -> str:
    """Date and time of day, for example 28 nov 2026, 21:05:12."""
    day, clock = date_text(moment, language), f"{moment:%M:%S}"
    match language:
        case "de" | "nl":
            return f"{day}, {moment:%H}:{clock}"
        case "fi":
            return f"{day} {moment.hour}.{moment:%M.%S}"
        case "ja":
            return f"{day} {moment.hour}:{clock}"
        case _:
            half = "AM" if moment.hour < 12 else "PM"
            return f"{day}, {moment.hour % 12 or 12}:{clock}\N{NARROW NO-BREAK SPACE}{half}"
