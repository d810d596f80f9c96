"""Who is let in when many come at once: the accounts behind the limits, without a server."""

from __future__ import annotations

from companion.server.limits import ConcurrencyLimit, Connections, TokenBucket


class Pretended:
    def __init__(self, idle: bool = True) -> None:
        self.idle, self.dropped = idle, False

    def drop(self) -> None:
        self.dropped = True


def test_where_all_is_full_the_one_idle_longest_of_the_fullest_address_makes_room() -> None:
    connections = Connections(most=5)
    many, few, new = [Pretended(idle=n != 0) for n in range(3)], [Pretended() for _ in range(2)], Pretended()
    for one in many:
        assert connections.admit(one, "many")
    for one in few:
        assert connections.admit(one, "few")
    connections.heard(many[1], "many")
    assert connections.admit(new, "new")
    assert [one.dropped for one in many + few] == [False, False, True, False, False]
    assert len(connections) == 5
    for one in many:
        one.idle = False
    assert not connections.admit(Pretended(), "many")
    for address, all_of_it in (("many", many), ("few", few), ("new", [new])):
        for one in all_of_it:
            connections.gone(one, address)
    assert len(connections) == 0


def test_who_had_to_make_room_while_waiting_takes_nobody_elses_place_when_spoken_to() -> None:
    """Two doors, each with a thread of its own: while one spoke to a visitor the other gave the place away."""
    connections = Connections(most=2)
    waiting, spoken_to, other, late = (Pretended() for _ in range(4))
    assert connections.admit(waiting, "a")
    assert connections.admit(other, "a")
    assert connections.hand_over(waiting, "a", spoken_to)
    assert len(connections) == 2
    assert connections.admit(late, "a")  # in the place of `other`
    assert not connections.hand_over(other, "a", Pretended())
    assert [one.dropped for one in (spoken_to, other, late)] == [False, True, False]
    assert len(connections) == 2


def test_an_address_waits_beyond_its_burst_and_is_refused_beyond_three_seconds() -> None:
    now = [100.0]
    bucket = TokenBucket(burst=3, per_second=2.0, clock=lambda: now[0])
    assert [bucket.reserve("a") for _ in range(9)] == [0.0, 0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    assert [bucket.reserve("a") for _ in range(1000)] == [None] * 1000  # refused ones do not prolong the wait
    assert bucket.reserve("b") == 0.0
    now[0] += 0.5
    assert [bucket.reserve("a") for _ in range(2)] == [3.0, None]
    now[0] += 1000.0
    assert [bucket.reserve("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_uploads_are_counted_by_address_and_in_all() -> None:
    uploads = ConcurrencyLimit(most=2, most_of_one=1)
    with uploads.one("a") as first, uploads.one("a") as again, uploads.one("b") as other, uploads.one("c") as third:
        assert (first, again, other, third) == (True, False, True, False)
    with uploads.one("a") as first:
        assert first
