"""A set of taught cards and its file: a zip archive with `set.json` and one PNG a face, so that it can be read
anywhere.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass, replace

import numpy as np

from vision.cards.faces import Face
from vision.messages import CARDS_LEFT_OUT, Doubt
from vision.sources.header import read_header
from vision.sources.jpeg import Unusable, decode

FORMAT = "courtside cards 1"
MOST_FACES = 2000
MOST_BYTES = 200_000_000
MOST_PIXELS = 100_000_000  # of all faces together: a large edition, each card taught four times, has a quarter of it
MOST_KIND = 60  # letters
SMALLEST_SIDE = 16  # pixels: sets were written with faces that small before these were enlarged
Views = tuple[Face, ...]
_UNREADABLE = (zipfile.BadZipFile, zlib.error, Unusable, EOFError, OSError, RuntimeError, ValueError)


class DamagedSet(ValueError):
    """No set of cards, no longer one, or one that could not be read again; the message is one sentence for the
    players.
    """


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """Taught faces.

    Attributes:
        name: what people call the edition.
        faces: in the order in which they were taught.
        game: the game they belong to (`krone`, `knatsch`), "" for any.
        repair: what was wrong with the file they were read from, one sentence for the players; not written.
    """

    name: str
    faces: Views = ()
    game: str = ""
    repair: Doubt | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds in the order in which they were taught."""
        return tuple(dict.fromkeys(face.kind for face in self.faces))

    def taught(self, face: Face) -> CardSet:
        """With one more view of a kind."""
        return replace(self, faces=(*self.faces, face))

    def without(self, kind: str) -> CardSet:
        """Without all views of a kind."""
        return replace(self, faces=tuple(face for face in self.faces if face.kind != kind))

    def packed(self) -> bytes:
        """The file, which was read back. Raises DamagedSet where it could not be read again."""
        data = self._packed()
        back = CardSet.unpacked(data, f"“{self.name}”")
        if back.repair is not None or [face.kind for face in back.faces] != [face.kind for face in self.faces]:
            raise DamagedSet(f"“{self.name}” could not be read again, so it was not written; nothing is changed")
        return data

    def _packed(self) -> bytes:
        import cv2

        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            rows = [{"kind": face.kind, "file": f"faces/{number:04}.png"} for number, face in enumerate(self.faces)]
            head = {"format": FORMAT, "name": self.name, "game": self.game, "faces": rows}
            archive.writestr("set.json", json.dumps(head, ensure_ascii=False, indent=1))
            for row, face in zip(rows, self.faces, strict=True):
                done, png = cv2.imencode(".png", face.image)
                assert done
                archive.writestr(row["file"], png.tobytes())
        return packed.getvalue()

    @classmethod
    def unpacked(cls, data: bytes, name: str = "the file") -> CardSet:
        """The set in a file, without faces that cannot be read. Raises DamagedSet."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                    raise DamagedSet(f"{name} is too large for a card set")
                head = json.loads(archive.read("set.json"))
                if head["format"] != FORMAT:
                    raise DamagedSet(f"{name} is a card set from another version of Courtside ({head['format']})")
                rows = [(str(row["kind"]), str(row["file"])) for row in head["faces"]]
                if len(rows) > MOST_FACES:
                    raise DamagedSet(f"{name} has {len(rows)} pictures of cards; at most {MOST_FACES} are read")
                faces, left_out = _faces(archive, rows, name)
                repair = Doubt(CARDS_LEFT_OUT, cards=", ".join(left_out)) if left_out else None
                return cls(str(head["name"]), faces, str(head.get("game", "")), repair)
        except DamagedSet:
            raise
        except (*_UNREADABLE, KeyError, TypeError, AttributeError):
            raise DamagedSet(f"{name} is damaged, or is not a card set") from None


def _faces(archive: zipfile.ZipFile, rows: list[tuple[str, str]], name: str) -> tuple[Views, list[str]]:
    """The faces of a file from anywhere, and the kinds of those that cannot be read.

    Raises DamagedSet where none can be read, or where they are too large: a few bytes may announce a picture of 40
    megapixels, two thousand times.
    """
    faces: list[Face] = []
    left_out: list[str] = []
    pixels = 0
    for kind, file in rows:
        try:
            data = archive.read(file)
            if (header := read_header(data)) is None or header.kind != "PNG" or len(kind) > MOST_KIND:
                raise ValueError
            pixels += header.width * header.height
            if pixels > MOST_PIXELS:
                raise DamagedSet(f"{name} is too large for a card set")
            faces.append(Face(kind, np.ascontiguousarray(decode(data, file, SMALLEST_SIDE))))
        except DamagedSet:
            raise
        except (*_UNREADABLE, KeyError):
            left_out.append(kind[:MOST_KIND])
    if rows and not faces:
        raise DamagedSet(f"{name} is damaged, or is not a card set")
    return tuple(faces), list(dict.fromkeys(left_out))
