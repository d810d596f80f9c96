"""Numbers, dates and times in the medium formats of the Unicode CLDR."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

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
