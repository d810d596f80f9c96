"""PostgreSQL connections with client-side timeouts.

A server that hangs (swapping, a stalled disk, a stopped process) keeps its connections open and says nothing. Neither
its own timeouts nor TCP's help, because its machine still acknowledges every packet. So the client limits the waiting.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa

REQUEST_SECONDS = 2.0  # timeout of one request: a sentence must be on the page within three seconds
MIGRATION_SECONDS = 600.0  # timeout of one migration statement on a large archive
FAIL_FAST_SECONDS = 3.0  # for this long after a timeout, further requests fail at once
_SETTINGS = {
    # The server's own limits are a little shorter: if they strike first, the connection stays usable.
    "options": "-c statement_timeout=1800 -c lock_timeout=1500 -c idle_in_transaction_session_timeout=10000",
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
    # In a database without an encoding (SQL_ASCII), text would arrive as bytes.
    "client_encoding": "utf8",
}


class _ConnectionWithTimeout(psycopg.Connection[Any]):
    """A connection that is closed if the server has not answered a request within its timeout."""

    timed_out = False
    request_timeout = REQUEST_SECONDS

    def wait(self, gen: Any, *args: Any, **more: Any) -> Any:
        """Waits for the server.

        Raises:
            OperationalError: The timeout has passed; the connection is closed.
        """
        try:
            return super().wait(_with_deadline(gen, time.monotonic() + self.request_timeout), *args, **more)
        except _Timeout:
            self.timed_out = True
            self.close()
            raise psycopg.OperationalError("connection given up: the server does not answer") from None


class _Timeout(Exception):
    pass


def _with_deadline(gen: Any, deadline: float) -> Generator[Any, Any, Any]:
    """Runs psycopg's generator until a deadline; it is resumed with 0 ten times a second while nothing arrives."""
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() > deadline:
                raise _Timeout
            wanted = gen.send(ready)
    except StopIteration as end:
        return end.value


def add_timeouts(engine: sa.Engine) -> None:
    """Gives every connection of this engine a timeout, and makes requests right after a timeout fail at once."""
    fail_until = 0.0

    class Connection(_ConnectionWithTimeout):
        def close(self) -> None:
            nonlocal fail_until
            if self.timed_out:
                fail_until = time.monotonic() + FAIL_FAST_SECONDS
            super().close()

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, args: Any, parameters: dict[str, Any]) -> Any:
        nonlocal fail_until
        if time.monotonic() < fail_until:
            raise psycopg.OperationalError("no new connection yet: the server does not answer")
        options = f"{_SETTINGS['options']} {parameters.get('options', '')}".strip()
        try:
            return Connection.connect(*args, **{**_SETTINGS, **parameters, "options": options})
        except psycopg.errors.ConnectionTimeout as error:
            fail_until = time.monotonic() + FAIL_FAST_SECONDS
            raise psycopg.OperationalError("no connection: the server does not answer") from error


@contextmanager
def without_time_limits(connection: sa.Connection) -> Iterator[None]:
    """Lifts the time limits in the current transaction, for use before any page is served."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, _ConnectionWithTimeout)
    for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {setting} = 0")
    driver.request_timeout = MIGRATION_SECONDS
    try:
        yield
    finally:
        driver.request_timeout = REQUEST_SECONDS
