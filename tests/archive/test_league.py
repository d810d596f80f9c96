"""A club's season follows from its finished games and its two dates."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from companion.archive.club import League, league, season_of, set_season
from companion.archive.players import Period
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from companion.game.archived.replay_cache import ReplayCache

PLAYED = (Path(__file__).parents[1] / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")  # Bert wins


def played(archive: Archive, day: str, *names: str, table: str = "") -> Summary:
    """The golden game with these names, won by the second player, on this day at this table."""
    text = PLAYED.replace('[Result "Bert"]', f'[Result "{names[1]}"]').replace("2026-11-20", day)
    text = text.replace('"Anna" "Bert" "Cleo"', " ".join(f'"{name}"' for name in names))
    game_id = game_repository.import_record(archive, text, again=True)
    found = next(one for one in ReplayCache().summaries(archive) if one.id == game_id)
    return replace(found, row=replace(found.row, club_table=table))


def season(archive: Archive, period: Period) -> League:
    games = [
        played(archive, "2026-09-04", "Anna", "Bert", "Cleo", table="window"),
        played(archive, "2026-09-04", "Dora", "Anna", "Bert", table="cellar"),
        played(archive, "2026-09-11", "Cleo", "bert ", "Anna"),
        played(archive, "2027-01-01", "Cleo", "Dora", "Anna"),
    ]
    return league(games, period)


def test_head_to_head_results_count_each_game_that_both_played(archive: Archive) -> None:
    found = season(archive, Period())
    bert = next(one.name for one in found.compared if one.name.startswith("bert"))
    assert found.head_to_head(bert, "Anna") == (2, 3)
    assert found.head_to_head("Anna", bert) == (1, 3)
    assert found.head_to_head("Cleo", "Dora") == (0, 1)


def test_an_evening_names_its_tables_and_everyone_who_won_most(archive: Archive) -> None:
    latest, _, first = season(archive, Period()).evenings
    assert (latest.day, latest.best, latest.tables) == (date(2027, 1, 1), ("Dora",), ())
    assert (first.games, first.tables, sorted(first.best), first.won) == (2, ("cellar", "window"), ["Anna", "Bert"], 1)


def test_a_season_counts_its_first_and_its_last_day(archive: Archive) -> None:
    found = season(archive, Period(date(2026, 9, 4), date(2026, 12, 31)))
    assert (found.games, len(found.evenings)) == (3, 2)
    assert [one.won for one in found.rankings["krone"]] == [2, 1, 0, 0]


def test_the_season_is_kept_for_all_who_share_the_archive(archive: Archive, file: Path) -> None:
    assert season_of(archive) == Period()
    set_season(archive, Period(date(2026, 9, 1), None))
    again = Archive(f"sqlite:///{file.as_posix()}")
    assert season_of(again) == Period(date(2026, 9, 1), None)
    again.close()
