"""An evening with everything at once: a failing camera, clients that reconnect, and a companion that is killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import statistics
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.stress.chaos_parts.world import script
from tests.stress.load_parts.browser import BROKEN, browser
from tests.stress.load_parts.clients import PlayerPhone, Viewer
from tests.stress.load_parts.companion import RunningCompanion
from tests.stress.load_parts.visitor import PageVisitor
from tests.stress.soak_parts.equipment import NAMES, CompanionProcess, FaultyCamera, command, mebibytes, worked

FAULT_EVERY, FAULT_LASTS = 25.0, 4.0  # seconds
FILM_SECONDS = 180.0  # then a game is entered by hand
STREAM_SECONDS = (10.0, 20.0)  # time until a page's stream breaks
HURT_SHARE = 1 / 8  # share of the time, at its end, in which the companion is killed
KILL_EVERY = 20.0
WEIGHED_EVERY = 2.0
EVENTS = 160  # of a game entered by hand
_CAMERA = ["unplugged", "stream server restarted", "black", "overexposed", "frozen", "nothing but cut-off JPEGs",
           "damaged JPEGs", "rotating", "5 pictures a second"]  # fmt: skip
_PROCESS = {"the process that reads is killed": "SIGKILL", "the process that reads is stopped": "SIGSTOP"}
_PAGES = ("/history", "/new", "/players", "/cards?game=krone", "/invite", "/camera", "/camera/state", "/feed",
          "/overlay", "/television", "/record.txt", "/join", "/")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Memory:
    """Medians over one minute.

    Attributes:
        seconds: End of the minute, from the start.
        companion: MiB of the companion.
        reader: MiB of the process that reads dice; 0 if there was none.
        files: Number of open files.
        threads: Number of threads.
    """

    seconds: float
    companion: float
    reader: float
    files: float
    threads: float


@dataclass(slots=True)
class SoakEvening:
    """The events and results of the evening.

    Attributes:
        count: Numbers of what was done, by name.
        shown: Lines that pages have shown, by game.
        waits: Seconds of each request, by kind.
        worked: Processor seconds of the companion and its children until it was first killed.
    """

    folder: Path
    seed: int
    count: Counter[str]
    memory: list[Memory] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    shown: dict[str, Counter[str]] = field(default_factory=dict)
    waits: dict[str, list[float]] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    worked: float = 0.0
    load: float = 0.0
    hurt: bool = False

    def settle(self) -> None:
        """Compares the lines that were shown with the archive."""
        games = re.findall(r'"id": *"([^"]+)"', command(self.folder, "games", "list", "--json"))
        self.count["games in the archive"] = len(games)
        kept = {game: Counter(_lines(command(self.folder, "games", "export", game))) for game in games}
        self.count["lines in the archive"] = sum(lines.total() for lines in kept.values())
        throws = [line for lines in kept.values() for line in lines.elements() if " roll " in line]
        self.count["rolls"] = len(throws)
        turns = (line for lines in kept.values() for line in lines.elements() if re.search(" (buy|pass)", line))
        self.count["turns"] = sum(1 for _ in turns)
        for game_id, lines in self.shown.items():
            self.lost += lines - kept.get(game_id, Counter())


class Guest(Viewer):
    """A page whose stream breaks repeatedly, like that of a phone that goes to sleep."""

    breaks = 0

    async def _listen(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(random.uniform(*STREAM_SECONDS)):
                    await super()._listen()
            self.breaks += 1

    async def _reload(self) -> None:
        while True:
            await asyncio.sleep(random.uniform(*STREAM_SECONDS))
            await self.reload()


class Phone(Guest, PlayerPhone):
    """A player's phone whose stream breaks too."""


class Host(PageVisitor):
    """Opens every page, starts games, and enters one by hand."""

    def __init__(self, evening: SoakEvening, companion: RunningCompanion) -> None:
        super().__init__(browser(companion.port, companion.secure))
        self._evening = evening

    async def look_around(self) -> None:
        """Opens every page and the record once. The lines of the record count as shown."""
        for page in _PAGES:
            await self.open(page)
        await self.note()
        games = re.findall(r'href="/history/([\w-]+)"', (await self.timed("page", "/history")).text)
        for game in games[:2]:
            for page in ("", "/review", "/at/20", ".json", "/chances"):
                await self.timed("page", f"/history/{game}{page}")

    async def note(self) -> None:
        """Notes the lines shown, if the same game is played before and after the request."""
        before = await self._newest()
        record = (await self.timed("page", "/record.txt")).text
        if before and before == await self._newest():
            self._evening.shown[before] = Counter(_lines(record))

    async def _newest(self) -> str:
        """The game started last; "" if there is none."""
        found = re.search(r'href="/history/([\w-]+)', (await self.timed("page", "/history")).text)
        return found[1] if found else ""

    async def begin(self) -> None:
        """Starts another game."""
        await self.note()
        await self._send("/new", [("game", "krone"), *(("player", name) for name in NAMES), ("starts", "0")])
        self._evening.count["games begun"] += 1

    async def play_by_hand(self, seed: int) -> None:
        """Enters a game line by line."""
        for line in script(seed, EVENTS).splitlines():
            before = self.failures.copy()
            await self._send("/enter", [("event", line)], "entry")
            self._evening.count["lines entered by hand"] += self.failures == before

    async def _send(self, address: str, fields: list[tuple[str, str]], kind: str = "page") -> None:
        if not self.token:
            await self.open("/new")
        form: dict[str, list[str]] = {"csrf": [self.token]}
        for name, value in fields:
            form.setdefault(name, []).append(value)
        await self.timed(kind, address, data=form)


async def play(evening: SoakEvening, seconds: float, viewers: int) -> None:
    """Plays the whole evening."""
    camera = FaultyCamera()
    companion = await asyncio.to_thread(CompanionProcess, evening.folder, camera.url)
    running = RunningCompanion(companion.port, False, companion.pid, evening.folder, browser(companion.port))
    began, over = time.monotonic(), asyncio.Event()
    hurt = seconds * (1 - HURT_SHARE)
    guests: list[Guest] = [Guest(running, "/", "/board", n) for n in range(viewers)]
    guests += [Phone(running, seat, n) for n, seat in enumerate("AB")]
    host = Host(evening, running)
    came = [asyncio.create_task(guest.run(over, random.uniform(0.0, 20.0))) for guest in guests]
    tasks = [
        asyncio.create_task(_hosted(host, camera, evening)),
        asyncio.create_task(_failing(camera, companion, evening)),
        asyncio.create_task(_weighed(companion, evening, began)),
    ]
    try:
        await asyncio.sleep(hurt)
        evening.worked, evening.hurt = worked(companion.pid), True
        tasks[0].cancel()  # from now on an interrupted request is no failure
        evening.failures = Counter(one for visitor in (host, *guests) for one in visitor.failures)
        camera.clear = False
        while time.monotonic() - began < seconds:
            await asyncio.sleep(KILL_EVERY)
            with suppress(*BROKEN):
                await host.note()
            await asyncio.to_thread(companion.kill_and_resume)
            evening.count["kills of the companion"] += 1
            with suppress(*BROKEN):
                await host.note()
    finally:
        over.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*came, *tasks, return_exceptions=True)
        await asyncio.to_thread(companion.close)
        camera.stop()
    evening.seconds, evening.load = time.monotonic() - began, os.getloadavg()[0]
    for visitor in (host, *guests):
        for kind, waits in visitor.waits.items():
            evening.waits.setdefault(kind, []).extend(waits)
    evening.count["page loads"] = len(evening.waits.get("page", ())) + len(evening.waits.get("entry", ()))
    evening.count["reconnections"] = sum(guest.breaks for guest in guests)
    evening.count["boards shown"] = len(evening.waits.get("board", ()))


async def _hosted(host: Host, camera: FaultyCamera, evening: SoakEvening) -> None:
    seed = evening.seed
    while True:
        try:
            until = time.monotonic() + FILM_SECONDS
            while time.monotonic() < until:
                await host.look_around()
                await asyncio.sleep(20.0)
            camera.clear = True
            await host.begin()
            seed += 1
            await host.play_by_hand(seed)
            await host.begin()
            camera.clear = False
        except BROKEN as error:
            await host.stumble(error)


async def _failing(camera: FaultyCamera, companion: CompanionProcess, evening: SoakEvening) -> None:
    chance = random.Random(evening.seed)
    while True:
        for what in chance.sample([*_CAMERA, *_PROCESS], len(_CAMERA) + len(_PROCESS)):
            await asyncio.sleep(FAULT_EVERY - FAULT_LASTS)
            if what in _PROCESS:
                with suppress(ProcessLookupError, FileNotFoundError):
                    if (reader := companion.reader) is not None:
                        os.kill(reader, getattr(signal, _PROCESS[what]))
                        evening.count["ends of the process that reads"] += 1
                await asyncio.sleep(FAULT_LASTS)
                continue
            camera.fail(what)
            evening.count["camera faults"] += 1
            await asyncio.sleep(FAULT_LASTS)
            camera.mend()


async def _weighed(companion: CompanionProcess, evening: SoakEvening, began: float) -> None:
    watching = browser(companion.port)
    pictures = 0
    while True:
        held = await _minute(companion, began)
        with suppress(*BROKEN, ValueError):
            number = int(json.loads((await watching.get("/picture")).headers.get("x-seen", "{}")).get("number", 0))
            evening.count["pictures"] += number - pictures if number > pictures else 0
            pictures = number
        if evening.hurt or held is None:
            continue
        evening.memory.append(held)
        print(
            f"{held.seconds / 60:5.1f} min: companion {held.companion:.0f} MiB, reader {held.reader:.0f} MiB, "
            f"{held.threads:.0f} threads, {held.files:.0f} files; load {os.getloadavg()[0]:.1f}; {dict(evening.count)}",
            flush=True,
        )


async def _minute(companion: CompanionProcess, began: float) -> Memory | None:
    """Resource usage in the rest of this minute; None if nothing could be read."""
    samples: list[tuple[float, float, int, int]] = []
    over = time.monotonic() + 60.0 - (time.monotonic() - began) % 60.0
    while time.monotonic() < over:
        await asyncio.sleep(WEIGHED_EVERY)
        with suppress(OSError):
            own = Path(f"/proc/{companion.pid}")
            files, threads = (sum(1 for _ in (own / what).iterdir()) for what in ("fd", "task"))
            samples.append((mebibytes(companion.pid), mebibytes(companion.reader), files, threads))
    if not samples:
        return None
    return Memory(time.monotonic() - began, *(statistics.median(values) for values in zip(*samples, strict=True)))


def _lines(record: str) -> list[str]:
    return [line.strip() for line in re.findall(r"^[A-F] [^{;]+", record, re.MULTILINE)]
