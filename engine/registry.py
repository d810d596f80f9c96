"""The ids of the games, the letters of the seats and the languages."""

from __future__ import annotations

GAME_IDS = ("krone", "knatsch", "yatzy")
SEATS = "ABCDEF"
LANGUAGES = ("en", "de", "nl", "fi", "ja")  # of the page, and of card and box names
