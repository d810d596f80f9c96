"""Images that crash their decoder, and killed processes: the page answers, and the game goes on."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from companion.camera.demo import bundled_demo
from companion.camera.worker import CameraState
from companion.resources import resource
from companion.web.app_state import AppState
from tests.kit.faulty_camera import BEFORE, MODELS, THROWN, frame, jpeg, variants
from tests.kit.lateness import lateness, within
from tests.kit.page_latency import poll_latency
from tests.kit.served_app import RESPONSE_SECONDS, served_app, table_of
from tests.kit.sources import hostile, misdeed, unpaced
from tests.vision.picture_files import png_announcing, progressive
from vision import messages
from vision.process import supervisor

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ONE_TURN, TWO_TURNS = 150, 205  # frames of the demo at which a player has set everything aside and bought
PATIENCE = 60.0

posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="ends processes by signals")


def until(true: Callable[[], object], what: str, seconds: float = PATIENCE) -> float:
    """Waits for a condition; returns the seconds that it took."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if true():
            return time.monotonic() - began
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


def encoded(size: tuple[int, int]) -> bytes:
    out = BytesIO()
    Pillow.new("RGB", size, (200, 30, 30)).save(out, "JPEG")
    return out.getvalue()


class Phone:
    """Sends pictures to a companion, as a phone's page does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._connection.request("GET", "/phone")
        answer = self._connection.getresponse()
        found = re.search(rb'name="csrf" content="([^"]+)"', answer.read())
        assert found
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        self._headers = {"Cookie": cookie, "X-CSRF-Token": found[1].decode(), "Content-Type": "image/jpeg"}

    def send(self, picture: bytes) -> int:
        self._connection.request("POST", "/phone/picture", picture, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer.status

    def send_all(self, pictures: tuple[bytes, ...]) -> None:
        for picture in pictures:
            assert self.send(picture) == 204
            time.sleep(1 / 12)


def test_a_phone_that_sends_hostile_pictures_does_not_keep_the_page_from_answering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", hostile)
    refused = [encoded((1, 9000)), encoded((9000, 1)), progressive(1000), png_announcing(7000, 7000)]
    with served_app(tmp_path, source="phone") as running_app:
        phone, here, record = Phone(running_app.server.port), running_app.app_state, table_of(running_app)
        with poll_latency(f"{running_app.server.address}board") as latency, lateness() as late:

            def lines() -> list[str]:
                return [line.event for line in record.lines]

            def sees(*values: int) -> bool:
                phone.send_all(variants(THROWN)[:2])
                reading = here.cameras.reading
                return reading is not None and reading.settled and reading.active == values

            watcher = here.cameras.watcher
            assert watcher is not None
            until(lambda: phone.send_all(variants(BEFORE)[:2]) or watcher.state.word == "looking", "it sees the table")
            phone.send_all(variants(BEFORE))
            until(lambda: sees(2, 5, 5) and lines() == ["A roll 5 5 2"], "the throw is on record")
            for picture in refused:
                assert phone.send(picture) == 422
            for what in ("hangs", "hangs and lets nothing else run", "crashes"):
                assert phone.send(misdeed(variants(THROWN)[0], what)) == 204
                until(lambda: watcher.state == CameraState("lost", messages.RESTARTED), "another process begins")
                until(lambda: sees(2, 5, 5), f"after a decoder that {what} dice are read")
                assert watcher.state == CameraState("looking", messages.RESTARTED)
        assert lines() == ["A roll 5 5 2"]
        assert latency.worst < RESPONSE_SECONDS + late.seconds


@pytest.mark.stress  # a phone sends such pictures above, and folders have tests of their own
def test_a_folder_with_hostile_pictures_is_watched_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", hostile)
    folder = tmp_path / "stills"
    folder.mkdir()
    good = jpeg(frame(THROWN))
    pictures = [good, encoded((1, 9000)), misdeed(good, "crashes"), misdeed(good, "hangs"), progressive(1000), good]
    for number, picture in enumerate(pictures):
        (folder / f"{number}.jpg").write_bytes(picture)
    (folder / "bomb.png").write_bytes(png_announcing(7000, 7000))
    with served_app(tmp_path, source=str(folder)) as running_app:
        watcher = running_app.app_state.cameras.watcher
        assert watcher is not None
        seen: set[int] = set()

        def over() -> bool:
            shown = watcher.page_image
            seen.update([shown.number] if shown else [])
            return "bomb.png has 49 megapixels" in str(watcher.state.why)

        with poll_latency(f"{running_app.server.address}board") as latency, lateness() as late:
            until(over, "the folder is over")
        assert latency.worst < RESPONSE_SECONDS + late.seconds
        assert seen == {0, 5}


def test_memory_beyond_the_limit_is_not_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("the system has no such limit")
    limit = textwrap.dedent("""
        import numpy as np
        from vision.process import child
        child.MOST_MEMORY = 2**29
        child._limited()
        try:
            held = np.ones(2**30, np.uint8)
        except MemoryError:
            print("refused")
    """)
    done = subprocess.run([sys.executable, "-c", limit], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "refused\n"


@posix
@pytest.mark.parametrize(
    ("kills", "over", "count"),
    [((34, 65), ONE_TURN, 5), pytest.param((34, 65, 150), TWO_TURNS, 6, marks=pytest.mark.stress)],
)
def test_a_film_goes_on_where_its_process_was_killed_and_no_line_is_lost_or_doubled(
    monkeypatch: pytest.MonkeyPatch, kills: tuple[int, ...], over: int, count: int
) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", unpaced)

    def recorded() -> list[str]:
        app_state, numbers, left = AppState(), [-1], list(kills)
        see, lines = app_state.cameras.see, []

        def seen(reading: object) -> None:
            see(reading)  # type: ignore[arg-type]
            number = reading.frame  # type: ignore[attr-defined]
            assert number >= numbers[-1]
            numbers.append(number)
            if number == over and not lines and app_state.session.running is not None:
                lines.extend(line.event for line in app_state.session.running.table.lines)
            if left and number >= left[0]:
                left.pop(0)
                assert app_state.cameras.watcher is not None
                os.kill(app_state.cameras.watcher.process or 0, signal.SIGKILL)

        app_state.cameras.see = seen  # type: ignore[assignment, method-assign]
        app_state.cameras.watch("demo")
        assert app_state.cameras.watcher is not None
        until(lambda: lines, "these turns are over", 10 * PATIENCE)
        app_state.close()
        assert not left
        return list(lines)

    played = resource("datasets", "demo", "demo.txt").read_text(encoding="utf-8")
    # The process dies while the dice rest; if it died during a roll, the referee would ask about that roll.
    assert recorded() == re.findall(r"^[AB] .+", played, re.MULTILINE)[:count]


class Flaky:
    """A film that crashes its process at one frame, however often it is restarted."""

    FRAME = 12


def crashing(source: str, **asked: object):  # type: ignore[no-untyped-def]
    for one in unpaced(source, **asked):
        if getattr(one, "number", 0) == Flaky.FRAME:
            os._exit(1)
        yield one


def test_a_frame_that_always_brings_the_process_down_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", crashing)
    app_state = AppState()
    numbers: list[int] = []
    app_state.cameras.see = lambda reading: numbers.append(reading.frame)  # type: ignore[method-assign]
    app_state.cameras.watch(bundled_demo().film)
    assert app_state.cameras.watcher is not None
    watcher = app_state.cameras.watcher
    until(lambda: numbers and numbers[-1] > Flaky.FRAME + 5, "it goes on after that frame")
    app_state.close()
    assert watcher.process is None or not alive(watcher.process)
    assert numbers == sorted(numbers)
    assert set(range(Flaky.FRAME)) <= set(numbers)
    assert Flaky.FRAME not in numbers
    assert Flaky.FRAME + 1 in numbers


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


@posix
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc whether a process is alive")
@pytest.mark.parametrize("does", ["nothing", "hangs", "hangs and lets nothing else run"])
def test_no_process_is_left_behind_when_the_companion_is_killed(tmp_path: Path, does: str) -> None:
    picture = jpeg(frame(THROWN))
    for number in range(1, 600 if does == "nothing" else 2):  # enough to be at it for as long as the test takes
        (tmp_path / f"{number}.jpg").write_bytes(picture if does == "nothing" else misdeed(picture, does))
    begin = textwrap.dedent(f"""
        import time
        import companion.camera.worker as worker
        from pathlib import Path
        from tests.kit.sources import hostile
        worker.frames = hostile
        watcher = worker.Watcher("it", path={str(tmp_path)!r}, model=Path({str(MODELS)!r}),
            see=lambda reading: None, ended=lambda: None, announce=lambda number: None)
        watcher.start()
        time.sleep(2.0)
        print(watcher.process, flush=True)
        time.sleep(60)
    """)
    parent = subprocess.Popen([sys.executable, "-c", begin], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
    until(lambda: not alive(child), "the process that watches ends", 2 * supervisor.PATIENCE)


@posix
def test_a_process_that_does_not_end_is_ended_when_the_source_is_changed(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    app_state.cameras.watch("demo")
    watcher = app_state.cameras.watcher
    assert watcher is not None
    until(lambda: app_state.cameras.reading is not None or watcher.state.word == "looking", "it looks")
    process = watcher.process
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    with within(5.0):
        app_state.cameras.watch("none")
    assert not alive(process)


def test_readings_are_the_same_as_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file's frames wait for the answer to the one before, because it decides what is searched."""
    from vision.dice.detector import Detector
    from vision.pipeline import Pipeline
    from vision.sources.camera import frames
    from vision.types import Reading

    monkeypatch.setattr("companion.camera.worker.frames", unpaced)
    app_state = AppState()
    apart: list[Reading] = []
    app_state.cameras.see = apart.append  # type: ignore[method-assign]
    app_state.cameras.watch(bundled_demo().film)
    watcher = app_state.cameras.watcher
    assert watcher is not None
    here, pipeline = [], Pipeline(Detector(MODELS))
    for one in frames(bundled_demo().film):
        here.append(pipeline.step(one))
        if len(here) == 40:  # the first throw rests from 29
            break
    until(lambda: len(apart) >= len(here), "as many readings")
    app_state.close()
    assert apart[: len(here)] == here
    np.testing.assert_equal(cv2.imdecode(np.frombuffer(watcher.small_picture(), np.uint8), 1).shape[1], 480)
