"""Connections to a club's server that never wait for it for long.

A server that hangs (its machine swaps, its disk stalls, somebody stopped it) keeps its connections open and says
nothing: neither its own time limits nor TCP's notice, for its machine still acknowledges every packet. So the waiting
itself is limited, here.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa

ANSWER_SECONDS = 2.0  # a sentence must be on the page within three
MIGRATION_SECONDS = 600.0  # one statement that brings a large archive to a new schema
REST_SECONDS = 3.0  # so long after a wait in vain everybody is told at once, and nobody waits anew
_SETTINGS = {
    # The server's own limits come a little earlier: with them the connection can go on being used.
    "options": "-c statement_timeout=1800 -c lock_timeout=1500 -c idle_in_transaction_session_timeout=10000",
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
    # Where the database was made without an encoding (SQL_ASCII), text would arrive as bytes.
    "client_encoding": "utf8",
}


class _Impatient(psycopg.Connection[Any]):
    """A connection that is given up when the server has not answered one request within its patience, in seconds."""

    given_up = False
    patience = ANSWER_SECONDS

    def wait(self, gen: Any, *args: Any, **more: Any) -> Any:
        """Wait for the server. Raises OperationalError, and closes the connection, when it takes too long."""
        try:
            return super().wait(_until(gen, time.monotonic() + self.patience), *args, **more)
        except _TooLong:
            self.given_up = True
            self.close()
            raise psycopg.OperationalError("connection given up: the server does not answer") from None


class _TooLong(Exception):
    pass


def _until(gen: Any, deadline: float) -> Generator[Any, Any, Any]:
    """The same generator, which psycopg resumes ten times a second with 0 while nothing arrives, up to a moment."""
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() > deadline:
                raise _TooLong
            wanted = gen.send(ready)
    except StopIteration as end:
        return end.value


def make_impatient(engine: sa.Engine) -> None:
    """Let every connection of this engine be one that does not wait for long, and nobody wait again at once."""
    rest_until = 0.0

    class Connection(_Impatient):
        def close(self) -> None:
            nonlocal rest_until
            if self.given_up:
                rest_until = time.monotonic() + REST_SECONDS
            super().close()

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, args: Any, parameters: dict[str, Any]) -> Any:
        nonlocal rest_until
        if time.monotonic() < rest_until:
            raise psycopg.OperationalError("no new connection yet: the server does not answer")
        options = f"{_SETTINGS['options']} {parameters.get('options', '')}".strip()
        try:
            return Connection.connect(*args, **{**_SETTINGS, **parameters, "options": options})
        except psycopg.errors.ConnectionTimeout as error:
            rest_until = time.monotonic() + REST_SECONDS
            raise psycopg.OperationalError("no connection: the server does not answer") from error


@contextmanager
def patient(connection: sa.Connection) -> Iterator[None]:
    """Within the transaction that has begun, statements may take long: nobody waits for a page while it opens."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, _Impatient)
    for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {setting} = 0")
    driver.patience = MIGRATION_SECONDS
    try:
        yield
    finally:
        driver.patience = ANSWER_SECONDS
