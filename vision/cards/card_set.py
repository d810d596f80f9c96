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
from vision.sources.header import read_header
from vision.sources.jpeg import Unusable, decode

FORMAT = "courtside cards 1"
MOST_FACES = 2000
MOST_BYTES = 200_000_000
MOST_PIXELS = 100_000_000  # of all faces together: a large edition, each card taught four times, has a quarter of it
MOST_KIND = 60  # letters
Views = tuple[Face, ...]


class DamagedSet(ValueError):
    """A file that is no set of cards, or no longer one; the message is one sentence for the players."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """Taught faces. name: what people call the edition; game: the game they belong to (`krone`, `knatsch`), "" for
    any.
    """

    name: str
    faces: Views = ()
    game: str = ""

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
        """The file."""
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
        """The set in a file. Raises DamagedSet."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                    raise DamagedSet(f"{name} is too large for a card set")
                head = json.loads(archive.read("set.json"))
                if head["format"] != FORMAT:
                    raise DamagedSet(f"{name} is a card set from another version of Courtside ({head['format']})")
                rows = [(str(row["kind"]), str(row["file"])) for row in head["faces"][:MOST_FACES]]
                return cls(str(head["name"]), _faces(archive, rows), str(head.get("game", "")))
        except DamagedSet:
            raise
        except (
            zipfile.BadZipFile,
            KeyError,
            ValueError,
            TypeError,
            AttributeError,
            EOFError,
            Unusable,
            OSError,
            RuntimeError,
            zlib.error,
        ):
            raise DamagedSet(f"{name} is damaged, or is not a card set") from None


def _faces(archive: zipfile.ZipFile, rows: list[tuple[str, str]]) -> Views:
    """The faces of a file from anywhere: a few bytes may announce a picture of 40 megapixels, two thousand times."""
    faces, pixels = [], 0
    for kind, file in rows:
        data = archive.read(file)
        header = read_header(data)
        pixels += header.width * header.height if header else 0
        if header is None or pixels > MOST_PIXELS or len(kind) > MOST_KIND:
            raise ValueError
        faces.append(Face(kind, np.ascontiguousarray(decode(data, file))))
    return tuple(faces)
