"""Numbers, dates, times and messages equal those of Babel, which knows all locales; Courtside runs without it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from babel.dates import format_date, format_datetime
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from companion.i18n.languages import CATALOGUES, LANGUAGES, catalogue
from companion.i18n.words import date_text, moment_text, number_text

MOMENTS = [datetime(2026, 1, 1) + timedelta(days=11 * n, hours=n, minutes=7 * n, seconds=13 * n) for n in range(60)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_and_times_are_those_of_the_locale(language: str) -> None:
    for moment in MOMENTS:
        assert moment_text(moment, language) == format_datetime(moment, "medium", locale=language)
        assert date_text(moment.date(), language) == format_date(moment.date(), "medium", locale=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("digits", "pattern"), [(0, "0"), (1, "0.0"), (2, "0.00")])
def test_numbers_are_those_of_the_locale(language: str, digits: int, pattern: str) -> None:
    for value in (0, 3.5, 0.25, 0.15, 2.675, 27.94, 1234.5, -106.61, 99.999):
        assert number_text(value, digits, language) == format_decimal(value, pattern, locale=language)


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_message_of_a_catalogue_is_said(language: str) -> None:
    with (CATALOGUES / f"{language}.po").open("rb") as stream:
        messages = [
            message for message in read_po(stream, locale=language, abort_invalid=True) if message.id and message.string
        ]
    said = catalogue(language)
    for message in messages:
        if isinstance(message.id, str):
            assert said.gettext(message.id) == message.string
        else:
            one, several = message.id
            forms = tuple(message.string or ())
            assert [said.ngettext(one, several, number) for number in (1, 2)] == [forms[0], forms[-1]]
