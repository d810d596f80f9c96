"""Reads a video container's own structure: whether the file is complete, and how many frames it shows.

MP4 and MOV: ISO 14496-12. MKV and WebM: RFC 8794 (EBML) and RFC 9559. AVI: Microsoft's RIFF.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

Bytes = bytes | mmap.mmap
_FIRST_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
_WITH_PICTURES = (b"mdat", b"moov", b"moof")
_EBML, _SEGMENT, _CLUSTER = b"\x1aE\xdf\xa3", 0x18538067, 0x1F43B675
_NO_SIZE = (0, 0xFFFFFFFF)  # size fields of an AVI whose writer never went back to fill them in


def announced(path: Path, counted: int) -> tuple[bool, int | None]:
    """Checks a video file's own structure.

    Args:
        counted: Number of frames in the container's header.

    Returns:
        Complete: False if the file ends before its own structure does, or the structure is broken. Frames: the number
            it shows; None if unknown; in MKV and WebM the header's number is only an estimate, duration times rate.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[4:8] in _FIRST_BOXES:
            whole = all(end <= len(data) for kind, _, end in _boxes(data, 0, len(data)) if kind in _WITH_PICTURES)
            return whole, _shown_by_mp4(data)
        if data[:4] == _EBML:
            return _ebml_is_whole(data), None
        if data[:4] == b"RIFF":
            size = int.from_bytes(data[4:8], "little")
            return size in _NO_SIZE or 8 + size <= len(data), counted if counted > 0 else None
    return True, None


def _boxes(data: Bytes, place: int, until: int) -> Iterator[tuple[bytes, int, int]]:
    """The boxes of an MP4 between two offsets: type, start of the content, end."""
    while place + 8 <= until:
        size, kind = struct.unpack_from(">I4s", data, place)
        content = place + 8
        if size == 1 and content + 8 <= until:
            (size,) = struct.unpack_from(">Q", data, content)
            content += 8
        end = place + size if size else until
        if end < content:
            return
        yield kind, content, end
        place = end


def _inside(data: Bytes, place: tuple[int, int], *kinds: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of the boxes of these kinds, nested from the outermost to the innermost."""
    for kind, content, end in _boxes(data, *place):
        if kind == kinds[0] and len(kinds) == 1:
            yield content, end
        elif kind == kinds[0]:
            yield from _inside(data, (content, end), *kinds[1:])


def _shown_by_mp4(data: Bytes) -> int | None:
    """Number of frames that the first video track shows; None if unreadable."""
    try:
        return next(_shown(data), None)
    except struct.error:  # a box ends too early
        return None


def _shown(data: Bytes) -> Iterator[int]:
    """For each video track of an MP4, the number of frames that its edit list shows; none for a fragmented file."""
    for moov in _inside(data, (0, len(data)), b"moov"):
        film_scale = next((_time_scale(data, at) for at, _ in _inside(data, moov, b"mvhd")), 0)
        for track in _inside(data, moov, b"trak"):
            kinds = [data[at + 8 : at + 12] for at, _ in _inside(data, track, b"mdia", b"hdlr")]
            scales = [_time_scale(data, at) for at, _ in _inside(data, track, b"mdia", b"mdhd")]
            tables = list(_inside(data, track, b"mdia", b"minf", b"stbl", b"stts"))
            if kinds != [b"vide"] or len(scales) != 1 or len(tables) != 1:
                continue
            runs = _rows(data, tables[0][0], ">II")
            # Frames are stored in decoding order; all are shown with the same delay as the first one.
            offsets = [_rows(data, at, ">Ii") for at, _ in _inside(data, track, b"mdia", b"minf", b"stbl", b"ctts")]
            delay = offsets[0][0][1] if offsets and offsets[0] else 0
            edits = [edit for at, _ in _inside(data, track, b"edts", b"elst") for edit in _edits(data, at)]
            seconds = scales[0] / film_scale if film_scale else 0.0
            windows = [
                (start - delay, start - delay + length * seconds if length and seconds else float("inf"))
                for length, start in edits
                if start >= 0  # an empty edit only delays the next one
            ]
            if runs:
                yield sum(_between(runs, *window) for window in windows or [(0, float("inf"))])


def _between(runs: list[tuple[int, ...]], start: float, end: float) -> int:
    """Number of frames that begin in [start, end), in units of the track; runs: (frames, duration of each)."""
    count, begins = 0, 0
    for pictures, duration in runs:
        first = max(0, -(-(start - begins) // duration)) if duration else 0
        last = min(pictures, -(-(end - begins) // duration)) if duration and end != float("inf") else pictures
        count += max(0, int(last) - int(first))
        begins += pictures * duration
    return count


def _time_scale(data: Bytes, at: int) -> int:
    """Units per second, from a movie or media header."""
    return int(struct.unpack_from(">I", data, at + (20 if data[at] == 1 else 12))[0])


def _rows(data: Bytes, at: int, form: str) -> list[tuple[int, ...]]:
    """The rows of a table that begins with version, flags and count."""
    (count,) = struct.unpack_from(">I", data, at + 4)
    size = struct.calcsize(form)
    return [struct.unpack_from(form, data, at + 8 + size * row) for row in range(min(count, len(data) // size))]


def _edits(data: Bytes, at: int) -> list[tuple[int, ...]]:
    """Each edit as (duration in units of the movie, start in units of the track, −1 for an empty edit)."""
    return [row[:2] for row in _rows(data, at, ">Qqi" if data[at] == 1 else ">Iii")]


def _ebml_is_whole(data: Bytes) -> bool:
    """Whether the elements of an MKV or WebM, blocks included, follow each other up to the end of its segment."""
    place, until = 0, len(data)
    while place < until:
        if not data[place] >> 4:  # an EBML identifier has at most four bytes
            return False
        width = 9 - data[place].bit_length()
        identifier = int.from_bytes(data[place : place + width], "big")
        place += width
        if place >= until or not data[place]:
            return False
        width = 9 - data[place].bit_length()
        size = int.from_bytes(data[place : place + width], "big") & (1 << 7 * width) - 1
        unknown = size == (1 << 7 * width) - 1  # the size is unknown in a live recording
        place += width
        end = place + size
        if end > until and not unknown:
            return False
        if identifier == _SEGMENT and not unknown:
            until = end  # what follows it does not belong to the video
        if identifier not in (_SEGMENT, _CLUSTER):
            if unknown:
                return False
            place = end
    return place == until
