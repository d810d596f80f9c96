"""The processes of a soak test: the real command and a failing network camera, with their resource usage."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from pathlib import Path

from tests.kit.faulty_camera import FAULTS, variants
from tests.kit.mjpeg_server import MjpegCamera
from tests.stress.load_parts.clients import film
from tests.stress.load_parts.companion import COURTSIDE

NAMES = ("Anna", "Bert")


class CompanionProcess:
    """The real command, which can be killed and restarted."""

    def __init__(self, folder: Path, source: str) -> None:
        self._folder, self._source = folder, source
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._process = self._begun("--players", ",".join(NAMES))

    @property
    def pid(self) -> int:
        """Process id of the companion."""
        return self._process.pid

    @property
    def reader(self) -> int | None:
        """Process id of the process that reads the dice."""
        mine = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        found = [int(word) for task in mine.parent.parent.iterdir() for word in _read(task / "children").split()]
        return max(found, default=None)

    def kill_and_resume(self) -> None:
        """Kills and resumes it, as after a power cut."""
        self._process.kill()
        self._process.wait()
        self._process = self._begun("--resume")

    def close(self) -> None:
        """Stops the companion."""
        self._process.terminate()
        self._process.wait()

    def _begun(self, *how: str) -> subprocess.Popen[str]:
        words = [str(COURTSIDE), "play", "--source", self._source, "--port", str(self.port), *how]
        process = subprocess.Popen(
            words,
            env=_environment(self._folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # decoders report damaged images there
            text=True,
        )
        assert process.stdout is not None
        for line in process.stdout:
            if "http://" in line:
                return process
        raise AssertionError("the companion did not begin")


class FaultyCamera:
    """Shows the film, or one of the faults."""

    def __init__(self) -> None:
        self._film, self._place, self.fault = film(), 0, ""
        self.clear = False  # an empty table
        self._camera = self._opened()
        self.url, self._port = self._camera.url, self._camera.port

    def fail(self, name: str) -> None:
        """Starts the fault of this name."""
        self.fault = name
        self._camera.pause = FAULTS[name].pause
        if FAULTS[name].pictures is None:
            self._camera.stop()

    def mend(self) -> None:
        """Ends the current fault."""
        if self.fault and FAULTS[self.fault].pictures is None:
            self._camera = self._opened(self._port)
        self.fault, self._camera.pause = "", 1 / 12

    def stop(self) -> None:
        """Stops the camera."""
        self._camera.stop()

    def _opened(self, port: int = 0) -> MjpegCamera:
        camera = MjpegCamera(self._next, port=port)
        camera.pause = 1 / 12
        return camera

    def _next(self, _: int) -> bytes:
        self._place += 1
        made = FAULTS[self.fault].pictures if self.fault else None
        sent = made() if made is not None else variants(0) if self.clear else self._film
        return sent[self._place % len(sent)] if sent else b""


def mebibytes(pid: int | None) -> float:
    """Memory of a process; 0 if there is none."""
    found = re.search(r"VmRSS:\s+(\d+) kB", _read(Path(f"/proc/{pid}/status")))
    return int(found[1]) / 1024 if found else 0.0


def worked(pid: int) -> float:
    """Processor seconds of a process and its ended children."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}


def command(folder: Path, *words: str) -> str:
    """Output of the real command about the archive in this folder."""
    return subprocess.run([COURTSIDE, *words], env=_environment(folder), capture_output=True, text=True).stdout
