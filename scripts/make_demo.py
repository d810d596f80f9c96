"""Films the bundled demo game: writes datasets/demo/demo.mp4, demo.txt and truth.json.

`--out datasets/bench --fps 30 --width 1280 --lines 8 --crf 30 --passes 1` films the start of the game as a webcam
would: the clip of `python -m scripts.bench_live`. Needs MuJoCo, libosmesa6 and the ffmpeg command (H.264). The record
below is the script of the film; the engine checks it before filming. truth.json holds

    fps, frames, width, height, layout ("mat": a printed A4 mat is on the table)
    person   what a person enters while the clip runs: {"seconds", "frame", "line"}, to be played as person events
    settled  the dice while nothing moves: {"frame", "until", "seconds", "throw", "active", "kept"}, sorted
    done     when each line of the record has come true: {"seconds", "frame", "line"}
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.replay import read_game
from tests.kit.dice import Picture
from tests.kit.example_records import RECORD
from tests.kit.options import run
from tests.kit.photograph import Sensor
from tests.kit.props import Light
from tests.kit.script import Wait, steps
from tests.kit.simulated_table import FrameTruth, Place, Setting, plain, simulate

SEED = 7


def setting(width: int, height: int) -> Setting:
    """A printed mat on a wooden table in the evening, ivory dice, a webcam on a stand."""
    table = plain("mat", width, height, slant=24.0)
    return replace(
        table,
        surface=14,
        look=replace(table.look, body=(0.95, 0.92, 0.84), second=(0.95, 0.92, 0.84), depth=0.8),
        light=Light(azimuth=130, height=58, size=0.22, key=0.5, fill=0.34, ambient=0.12),
        sensor=Sensor(gain=1.02, warmth=0.25, blur=0.7, grain=0.9, vignette=0.2, jpeg=0),
    )


def still(truths: list[FrameTruth], fps: int) -> Iterator[dict[str, Any]]:
    """The resting dice, for each period without motion."""
    start = 0
    for number, truth in enumerate(truths):
        if truth.moving or truth.hand:
            start = number + 1
            continue
        last = number + 1 == len(truths) or truths[number + 1].moving or truths[number + 1].hand
        if last and number - start >= fps // 4:
            active, kept = truth.values(Place.ACTIVE), truth.values(Place.KEPT)
            yield {
                "frame": start,
                "until": number,
                "seconds": round(start / fps, 3),
                "throw": truth.rolls,
                "active": list(active),
                "kept": list(kept),
            }


def encode(
    pictures: Iterator[Picture], path: Path, size: tuple[int, int], fps: int, crf: int, preset: str = "slow"
) -> None:
    """Encodes H.264, which every OpenCV wheel decodes. `preset` is x264's."""
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgr24"]
    command += ["-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-", "-c:v", "libx264", "-preset", preset]
    command += ["-crf", str(crf), "-pix_fmt", "yuv420p", "-g", "150", "-threads", "1"]
    command += ["-movflags", "+faststart", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for picture in pictures:
            process.stdin.write(np.ascontiguousarray(picture).tobytes())
        process.stdin.close()
        if process.wait():
            raise SystemExit("ffmpeg could not write the clip")


def main(
    out: Path = Path("datasets/demo"),
    crf: int = 25,
    fps: int = 12,
    width: int = 720,
    lines: int = 1000,
    passes: int = 6,
) -> None:
    """Films the demo game into OUT.

    Args:
        crf: H.264 quality: smaller is better and larger.
        width: 4:3 below 1280 pixels, 16:9 from there on.
        lines: Only this many of the record's lines.
        passes: Render passes per frame: more give softer shadows.
    """
    head, _, events = RECORD.partition("\n\n")
    played = "\n".join([head, "", *events.splitlines()[:lines], ""])
    record = read_game(played)
    table = setting(width, width * 9 // 16 if width >= 1280 else width * 3 // 4)
    size = (table.camera.width, table.camera.height)
    truths: list[FrameTruth] = []
    script = [Wait(seconds=1.0), *steps(played), Wait(seconds=1.0)]

    def pictures() -> Iterator[Picture]:
        for frame, truth in simulate(script, seed=SEED, setting=table, fps=fps, passes=passes):
            truths.append(truth)
            yield frame.image

    out.mkdir(parents=True, exist_ok=True)
    encode(pictures(), out / "demo.mp4", size, fps, crf)
    (out / "demo.txt").write_text(record.text(), encoding="utf-8", newline="\n")
    truth = {
        "fps": fps,
        "frames": len(truths),
        "width": size[0],
        "height": size[1],
        "layout": table.layout,
        "person": _moments(truths, "entered"),
        "done": _moments(truths, "done"),
        "settled": list(still(truths, fps)),
    }
    text = json.dumps(truth, indent=None, separators=(", ", ": ")).replace('{"', '\n  {"').replace("], \n", "],\n")
    (out / "truth.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    written = (out / "demo.mp4").stat().st_size
    print(f"{len(truths)} frames, {len(truths) / fps:.0f} s, {written / 1e6:.2f} MB")


def _moments(truths: list[FrameTruth], what: str) -> list[dict[str, Any]]:
    return [
        {"seconds": round(truth.seconds, 3), "frame": truth.frame, "line": line}
        for truth in truths
        for line in getattr(truth, what)
    ]


if __name__ == "__main__":
    run(main)
