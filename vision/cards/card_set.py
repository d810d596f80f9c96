"""A set of card faces and its file format: a zip archive with `set.json` and one PNG per face."""

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
MOST_PIXELS = 100_000_000  # of all faces together: four times a large edition with four faces per card
MOST_KIND = 60  # characters in a name
SMALLEST_SIDE = 16  # pixels: older files contain faces this small
Views = tuple[Face, ...]
_UNREADABLE = (zipfile.BadZipFile, zlib.error, Unusable, EOFError, OSError, RuntimeError, ValueError)


class DamagedSet(ValueError):
    """The file is no valid card set, or a new one failed its read-back check.

    The message is one sentence for the player.
    """


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """The faces of one edition of a game.

    Attributes:
        name: The edition's name, chosen by the player.
        faces: In the order in which they were added.
        game: The game they belong to (`krone`, `knatsch`), "" for any.
        repair: What was wrong with the file they were read from, one sentence for the player; not written.
    """

    name: str
    faces: Views = ()
    game: str = ""
    repair: Doubt | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds in the order in which they were added."""
        return tuple(dict.fromkeys(face.kind for face in self.faces))

    def taught(self, face: Face) -> CardSet:
        """A copy with one more face."""
        return replace(self, faces=(*self.faces, face))

    def without(self, kind: str) -> CardSet:
        """A copy without the faces of a kind."""
        return replace(self, faces=tuple(face for face in self.faces if face.kind != kind))

    def packed(self) -> bytes:
        """The content of the file, verified by reading it back.

        Raises:
            DamagedSet: The content could not be read back.
        """
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
        """The set in a file, without faces that cannot be read.

        Args:
            data: Content of the file, untrusted.
            name: What error messages call the file.

        Raises:
            DamagedSet: It is no card set, damaged or too large.
        """
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
    """The faces of an untrusted file, and the kinds of faces that cannot be read.

    Raises:
        DamagedSet: None can be read, or the pixels exceed MOST_PIXELS. PNG headers are checked before decoding, because
            a few bytes can announce 40 megapixels.
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
