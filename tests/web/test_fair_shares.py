"""Limits when many visitors come at once: their counting, without a server."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from companion.server.connection_limiter import ConnectionLimiter
from companion.server.limits import ConcurrencyLimit, Connections, Limits, TokenBucket


class Pretended:
    def __init__(self, idle: bool = True) -> None:
        self.idle, self.dropped = idle, False

    def drop(self) -> None:
        self.dropped = True


def test_if_all_connections_are_used_the_longest_idle_one_of_the_fullest_address_is_closed() -> None:
    connections = Connections(limit=5)
    many, few, new = [Pretended(idle=n != 0) for n in range(3)], [Pretended() for _ in range(2)], Pretended()
    for one in many:
        assert connections.admit(one, "many")
    for one in few:
        assert connections.admit(one, "few")
    connections.mark_used(many[1], "many")
    assert connections.admit(new, "new")
    assert [one.dropped for one in many + few] == [False, False, True, False, False]
    assert len(connections) == 5
    for one in many:
        one.idle = False
    assert not connections.admit(Pretended(), "many")
    for address, all_of_it in (("many", many), ("few", few), ("new", [new])):
        for one in all_of_it:
            connections.remove(one, address)
    assert len(connections) == 0


def test_a_dropped_pending_connection_takes_no_other_place_when_it_is_answered() -> None:
    """Bug: two listeners run in threads of their own. While one answered a visitor, the other gave the place away."""
    connections = Connections(limit=2)
    waiting, spoken_to, other, late = (Pretended() for _ in range(4))
    assert connections.admit(waiting, "a")
    assert connections.admit(other, "a")
    assert connections.hand_over(waiting, "a", spoken_to)
    assert len(connections) == 2
    assert connections.admit(late, "a")  # in the place of `other`
    assert not connections.hand_over(other, "a", Pretended())
    assert [one.dropped for one in (spoken_to, other, late)] == [False, True, False]
    assert len(connections) == 2


def test_an_address_has_a_rate_of_its_own() -> None:
    now = [100.0]
    bucket = TokenBucket(burst=3, per_second=2.0, clock=lambda: now[0])
    assert [bucket.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert bucket.allows("b")
    now[0] += 0.5
    assert [bucket.allows("a") for _ in range(2)] == [True, False]
    now[0] += 1000.0
    assert [bucket.allows("a") for _ in range(4)] == [True, True, True, False]


def test_a_visitor_after_a_hundred_of_another_address_is_served_second() -> None:
    """Bug: a player's board took four seconds while fifty addresses opened all connections they could."""
    started: list[str] = []

    async def come() -> None:
        limiter = ConnectionLimiter(socket.create_server(("127.0.0.1", 0)), None, Limits(), lambda admitted: None)  # type: ignore[arg-type,return-value]

        async def start(visitor: object) -> None:
            started.append(visitor.address)  # type: ignore[attr-defined]

        limiter._start = start  # type: ignore[method-assign,assignment]
        kept = []
        for address in [*["many"] * 100, "one"]:
            ours, theirs = socket.socketpair()
            kept += [ours, theirs]
            limiter._admit(theirs, (address, 1))
        await asyncio.sleep(0.2)
        limiter.close()
        await limiter.wait_closed()
        for one in kept:
            one.close()

    with ThreadPoolExecutor(1) as apart:  # a browser of another test may have an event loop in this thread
        apart.submit(asyncio.run, come()).result()
    assert started[:3] == ["many", "one", "many"]
    assert len(started) == 101


def test_uploads_are_counted_by_address_and_in_all() -> None:
    uploads = ConcurrencyLimit(total=2, per_address=1)
    with uploads.slot("a") as first, uploads.slot("a") as again, uploads.slot("b") as other, uploads.slot("c") as third:
        assert (first, again, other, third) == (True, False, True, False)
    with uploads.slot("a") as first:
        assert first
