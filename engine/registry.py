"""The games by id, the seats and the languages: what everything else agrees on."""

from __future__ import annotations

GAME_IDS = ("krone", "knatsch", "yatzy")
SEATS = "ABCDEF"
LANGUAGES = ("en", "de", "nl", "fi", "ja")  # of the page, and of the names of cards and boxes
