"""The players' own cards: sets of taught faces, one file each in the user's data folder."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from platformdirs import user_data_path

from vision.cards.card_set import CardSet, DamagedSet
from vision.messages import CARDS_RESTORED, Doubt

MOST_NAME = 60
CHOSEN = "chosen.txt"
SUFFIX = ".cards"  # of the file of a set
PREVIOUS = ".previous"  # after it: the set before its last change
DAMAGED = ".damaged"  # after it: a file that could not be read when the set was written again
_ALLOWED = re.compile(r"[^\W_](?:[\w .,'’()&+-]*[\w.)’'])?", re.UNICODE)


class NoSuchSet(ValueError):
    """There is no set of this name, or it cannot be used; the message is one sentence for the players."""


def own_cards_folder() -> Path:
    """Where sets are kept when nobody says otherwise."""
    return Path(user_data_path("courtside", appauthor=False)) / "own-cards"


class OwnCards:
    """The sets in `folder`, which is made when the first one comes."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or own_cards_folder()

    def names(self) -> list[str]:
        """The sets there are, by name."""
        try:
            return sorted((path.stem for path in self.folder.glob(f"*{SUFFIX}")), key=str.casefold)
        except OSError:
            return []

    def load(self, name: str) -> CardSet:
        """A set; where its file is damaged, the version before its last change, which `repair` says.

        Raises NoSuchSet, and DamagedSet where there is no earlier version.
        """
        path = self._path(name)
        try:
            return CardSet.unpacked(path.read_bytes(), str(path))
        except DamagedSet:
            with suppress(OSError, DamagedSet):
                earlier = CardSet.unpacked(_beside(path, PREVIOUS).read_bytes(), str(path))
                return replace(earlier, repair=Doubt(CARDS_RESTORED))
            raise
        except FileNotFoundError:
            known = ", ".join(self.names())
            raise NoSuchSet(f"there is no card set “{name}”" + (f"; there are: {known}" if known else "")) from None
        except OSError as error:
            raise NoSuchSet(f"{path} cannot be read ({error.strerror})") from None

    def load_or_new(self, name: str, game: str = "") -> CardSet:
        """A set, an empty one where none has the name. Raises DamagedSet, NoSuchSet for a name no file can have."""
        return self.load(name) if self._path(name).exists() else CardSet(name, (), game)

    def save(self, cards: CardSet) -> Path:
        """Keep a set under its name; the file that it replaces stays beside it.

        Raises OSError where the folder cannot be written, DamagedSet where the set could not be read again; then
        nothing is changed.
        """
        path, data = self._path(cards.name), cards.packed()
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            before = path.read_bytes()
            _write(_beside(path, PREVIOUS if _is_whole(before) else DAMAGED), before)
        _write(path, data)
        return path

    @property
    def chosen(self) -> str | None:
        """The set that is played with, None where none was chosen or it is gone."""
        try:
            name = (self.folder / CHOSEN).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return None
        return name if name in self.names() else None

    def choose(self, name: str | None) -> None:
        """Play with this set from now on, or with none. Raises OSError where the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / CHOSEN).write_text(name or "", encoding="utf-8")

    def forget(self, name: str) -> None:
        """Delete a set, a damaged one too, and its earlier versions. Raises NoSuchSet."""
        try:
            path = self._path(name)
            path.unlink()
            for suffix in (PREVIOUS, DAMAGED):
                _beside(path, suffix).unlink(missing_ok=True)
        except FileNotFoundError:
            raise NoSuchSet(f"there is no card set “{name}”") from None
        except OSError as error:
            raise NoSuchSet(f"“{name}” cannot be deleted ({error.strerror})") from None

    def _path(self, name: str) -> Path:
        if len(name) > MOST_NAME or not _ALLOWED.fullmatch(name):
            raise NoSuchSet(
                f"“{name[:MOST_NAME]}” is not a valid set name: at most {MOST_NAME} letters, digits, spaces, hyphens"
            )
        return self.folder / f"{name}{SUFFIX}"


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _is_whole(data: bytes) -> bool:
    try:
        CardSet.unpacked(data)
    except DamagedSet:
        return False
    return True


def _write(path: Path, data: bytes) -> None:
    """Write a file at once or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(path)


__all__ = ["DamagedSet", "NoSuchSet", "OwnCards", "own_cards_folder"]
