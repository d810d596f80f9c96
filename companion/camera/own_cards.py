"""The players' card sets: taught faces, one file for each set in the user's data folder."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from platformdirs import user_data_path

from companion.resources import write_atomically
from vision.cards.card_set import CardSet, DamagedSet
from vision.messages import CARDS_RESTORED, Doubt

MAX_NAME = 60
CHOSEN = "chosen.txt"
SUFFIX = ".cards"  # of the file of a set
PREVIOUS = ".previous"  # appended to it: the set before its last change
DAMAGED = ".damaged"  # appended to it: a file that could not be read when the set was saved again
_ALLOWED = re.compile(r"[^\W_](?:[\w .,'’()&+-]*[\w.)’'])?", re.UNICODE)


class NoSuchSet(ValueError):
    """There is no set of this name, or it cannot be used; the message is one sentence for the players."""


def own_cards_folder() -> Path:
    """The default folder of card sets."""
    return Path(user_data_path("courtside", appauthor=False)) / "own-cards"


class OwnCards:
    """The sets in `folder`, which is created with the first one."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or own_cards_folder()

    def names(self) -> list[str]:
        """Names of the sets."""
        try:
            return sorted((path.stem for path in self.folder.glob(f"*{SUFFIX}")), key=str.casefold)
        except OSError:
            return []

    def load(self, name: str) -> CardSet:
        """A set. If its file is damaged, the version before its last change; `repair` says so.

        Raises:
            NoSuchSet: There is none of this name.
            DamagedSet: It is damaged and has no earlier version.
        """
        path = self._path(name)
        try:
            return CardSet.unpacked(path.read_bytes(), str(path))
        except DamagedSet:
            with suppress(OSError, DamagedSet):
                earlier = CardSet.unpacked(_with_suffix(path, PREVIOUS).read_bytes(), str(path))
                return replace(earlier, repair=Doubt(CARDS_RESTORED))
            raise
        except FileNotFoundError:
            known = ", ".join(self.names())
            raise NoSuchSet(f"there is no card set “{name}”" + (f"; there are: {known}" if known else "")) from None
        except OSError as error:
            raise NoSuchSet(f"{path} cannot be read ({error.strerror})") from None

    def load_or_new(self, name: str, game: str = "") -> CardSet:
        """A set, or an empty one if there is none of this name.

        Raises:
            DamagedSet: It cannot be read.
            NoSuchSet: No file can have this name.
        """
        return self.load(name) if self._path(name).exists() else CardSet(name, (), game)

    def save(self, cards: CardSet) -> Path:
        """Saves a set under its name; the previous file is kept beside it.

        Raises:
            OSError: The folder is not writable.
            DamagedSet: The set could not be read back; nothing is changed.
        """
        path, data = self._path(cards.name), cards.packed()
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            before = path.read_bytes()
            write_atomically(_with_suffix(path, PREVIOUS if _is_intact(before) else DAMAGED), before)
        write_atomically(path, data)
        return path

    @property
    def chosen(self) -> str | None:
        """The set in use; None if none was chosen or it is gone."""
        try:
            name = (self.folder / CHOSEN).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return None
        return name if name in self.names() else None

    def choose(self, name: str | None) -> None:
        """Uses this set from now on, or none.

        Raises:
            OSError: The folder is not writable.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / CHOSEN).write_text(name or "", encoding="utf-8")

    def delete(self, name: str) -> None:
        """Deletes a set, even a damaged one, and its earlier version.

        Raises:
            NoSuchSet: There is none of this name.
        """
        try:
            path = self._path(name)
            path.unlink()
            for suffix in (PREVIOUS, DAMAGED):
                _with_suffix(path, suffix).unlink(missing_ok=True)
        except FileNotFoundError:
            raise NoSuchSet(f"there is no card set “{name}”") from None
        except OSError as error:
            raise NoSuchSet(f"“{name}” cannot be deleted ({error.strerror})") from None

    def _path(self, name: str) -> Path:
        if len(name) > MAX_NAME or not _ALLOWED.fullmatch(name):
            raise NoSuchSet(
                f"“{name[:MAX_NAME]}” is not a valid set name: at most {MAX_NAME} letters, digits, spaces, hyphens"
            )
        return self.folder / f"{name}{SUFFIX}"


def _with_suffix(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _is_intact(data: bytes) -> bool:
    try:
        CardSet.unpacked(data)
    except DamagedSet:
        return False
    return True


__all__ = ["DamagedSet", "NoSuchSet", "OwnCards", "own_cards_folder"]
