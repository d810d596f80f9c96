"""Two records as files: an unfinished and a finished game."""

from __future__ import annotations

from tests.kit.example_records import RECORD

EXAMPLE = RECORD.replace("[Players", '[Date "2026-11-20"]\n[Players')
FINISHED = """\
[Players "Anna" "Bert"]
[Position "A charlatan farmer general; B -; active 2; kept 2 2 2 2 2 2"]
[Result "Anna"]

A keep 2
A buy king
B roll 1 1 1
B keep 1 1 1
B pass
B pass
"""
