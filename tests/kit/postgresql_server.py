"""A separate PostgreSQL server on loopback, for tests that need a real one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import psycopg
from psycopg import sql


class PostgresServer:
    """Started by `start`, stopped by `stop`, may be restarted; its data exist until `close`.

    PostgreSQL refuses to run as root, so root runs it as the user `postgres` of Debian's package.
    """

    def __init__(self) -> None:
        self._programs = _programs()
        self._folder = Path(tempfile.mkdtemp(prefix="courtside-postgresql-"))
        self._user: str | None = None
        if os.geteuid() == 0:
            self._user = "postgres"
            owner = pwd.getpwnam(self._user)
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self.port = free_port()
        self._databases = 0
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "-D", "data")
        self.start()

    @property
    def url(self) -> str:
        """The URL of its default database."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/postgres"

    def new_database(self) -> str:
        """The URL of a new empty database."""
        self._databases += 1
        name = f"games{self._databases}"
        with psycopg.connect(port=self.port, host="127.0.0.1", user="postgres", autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.rpartition("/")[0] + f"/{name}"

    def start(self) -> None:
        """Returns when the server answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "-D", "data", "-l", "log", "-o", options)

    def stop(self) -> None:
        """Stops at once, as in a power cut."""
        self._run("pg_ctl", "stop", "--wait", "-m", "immediate", "-D", "data")

    def hang(self) -> None:
        """Stops answering and keeps every connection open."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Answers again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        parent = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        for process in (parent, *map(int, children)):
            os.kill(process, number)

    def close(self) -> None:
        """Stops the server and deletes its data."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        who = self._user
        done = subprocess.run(
            command, cwd=self._folder, user=who, group=who, capture_output=True, text=True, timeout=60
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")


def _programs() -> Path:
    if found := shutil.which("initdb"):
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin/initdb")).parent


def free_port() -> int:
    """An unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
