"""A second, plain implementation of Um Krone und Kragen: the oracle for the engine.

One mutable table, lists of dice, lines of text. Written from the rules, not from the engine, without regard to speed.
Where the engine uses multisets of dice, each die is handled separately here.
"""

from __future__ import annotations

from itertools import product

from tests.referee.plain_table import No, need

ADDED = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}
START = {"farmer": 1, "charlatan": 1, "general": 2}
ROWS = [
    ("farmer maid philosopher laborer guard", (2, 2, 3, 4)),
    ("hunter astronomer merchant", (1, 2, 3, 3)),
    ("noblewoman pawnbroker knight magician alchemist bishop nobleman general", (1, 2, 2, 3)),
    ("king queen", (1, 1, 1, 1)),
]


def pays(card: str, dice: list[int]) -> bool:
    n = sorted((dice.count(v) for v in range(1, 7)), reverse=True)
    return {
        "fool": True,
        "charlatan": True,
        "farmer": n[0] > 1,
        "guard": n[0] > 2,
        "hunter": n[0] > 3,
        "knight": n[0] > 4,
        "general": n[0] > 5,
        "king": n[0] > 6,
        "maid": not [v for v in dice if v in (2, 4, 6)],
        "philosopher": not [v for v in dice if v in (1, 3, 5)],
        "laborer": sum(dice) > 14,
        "merchant": sum(dice) > 19,
        "pawnbroker": sum(dice) > 29,
        "astronomer": sum(k // 2 for k in n) > 1,
        "bishop": sum(k // 2 for k in n) > 2,
        "nobleman": sum(k // 3 for k in n) > 1,
        "noblewoman": n[0] > 4 or (n[0] > 2 and n[1] > 1),
        "magician": all(v in dice for v in (2, 3, 4, 5)) and (1 in dice or 6 in dice),
        "alchemist": all(v in dice for v in (1, 2, 3, 4, 5, 6)),
    }.get(card, False)


class PlainTable:
    """The table during a game: `line` does what a line of the record says, or raises No and changes nothing."""

    def __init__(self, players: int, rio: bool, box: int | None) -> None:
        self.n, self.rio, self.box = players, rio, box
        self.cards: list[list[str]] = [[] for _ in range(players)]
        self.shop = {card: copies[players - 2] for row, copies in ROWS for card in row.split()}
        self.shop["fool"] = 10**9 if rio else players
        self.order = list(range(players))
        self.first, self.round, self.place = 0, 1, 0
        self.claimant = self.king = None
        self.best = (0, 0)
        self.last_round = self.over = False
        self.open: list[int] = []
        self.begin()

    def begin(self) -> None:
        extra = sum(START.get(card, 0) for card in self.cards[self.who])
        self.hand = 3 + extra if self.box is None else min(3 + extra, self.box)
        self.active: list[int] = []
        self.kept: list[int] = []
        self.used: list[str] = []
        self.thrown = self.must_keep = False

    @property
    def who(self) -> int:
        return self.order[self.place]

    def next_turn(self) -> None:
        self.place += 1
        if self.last_round and self.place == self.n - 1 and self.king == self.claimant:
            self.over = True
        elif self.place == self.n:
            if self.last_round:
                self.over = True
            else:
                self.first, self.round, self.place = (self.first - 1) % self.n, self.round + 1, 0
                self.order = [(self.first + i) % self.n for i in range(self.n)]
                if self.claimant is not None:
                    self.last_round = True
                    self.order.remove(self.claimant)
                    self.order.append(self.claimant)
        if self.over:
            self.place = self.n - 1
        else:
            self.begin()

    def line(self, text: str) -> None:
        """One line as the record writes it."""
        seat_, verb, *rest = text.split()
        seat = "ABCDE".index(seat_)
        need(not self.over and seat < self.n)
        done = self.thrown and not self.active
        if done and not self.last_round and (verb == "roll" or (verb == "use" and seat != self.who)):
            # the purchase stays open and the next turn begins, if its first event is fine
            before = {**self.__dict__, "open": list(self.open)}
            self.open.append(self.who)
            self.next_turn()
            try:
                need(seat == self.who)
                self.do(verb, rest)
            except No:
                self.__dict__.update(before)
                raise
            return
        need(seat == self.who)
        self.do(verb, rest)

    def do(self, verb: str, rest: list[str]) -> None:
        if verb == "roll":
            dice = [int(d) for d in rest]
            need(not self.must_keep and dice and len(dice) == (len(self.active) if self.thrown else self.hand))
            self.active, self.thrown, self.must_keep, self.hand = dice, True, True, 0
        elif verb == "keep":
            dice = [int(d) for d in rest]
            need(dice and self.among(dice))
            for die in dice:
                self.active.remove(die)
            self.kept += dice
            self.must_keep = False
        elif verb == "use":
            self.use(rest[0], rest[1:])
        elif verb == "buy":
            self.buy(rest[0])
        elif self.last_round and not self.thrown:
            self.next_turn()
        else:
            need(self.thrown and not self.active)
            if self.last_round:
                self.challenge()
            self.next_turn()

    def among(self, dice: list[int]) -> bool:
        return all(dice.count(v) <= self.active.count(v) for v in dice)

    def use(self, card: str, rest: list[str]) -> None:
        need(card in self.cards[self.who] and card not in self.used and (self.thrown or not self.rio))
        if card in ADDED or card == "queen":
            if card == "queen":
                need(len(rest) == 1 and rest[0] in tuple("123456"))
            else:
                need(not rest)
            out = self.hand + len(self.active) + len(self.kept)
            need(self.box is None or out < self.box)
            if self.thrown:
                self.active.append(ADDED.get(card) or int(rest[0]))
            else:
                self.hand += 1
            self.used.append(card)
            return
        need(self.thrown and ">" in rest)
        arrow = rest.index(">")
        old, new = ([int(d) for d in part] for part in (rest[:arrow], rest[arrow + 1 :]))
        need(old and len(old) == len(new) and self.among(old))
        if card not in ("fool", "merchant"):
            need(sorted(old) != sorted(new))
        one, pairs = len(old) == 1, [tuple(zip(old, new, strict=True))]
        if len(old) < 6:
            pairs = [tuple(zip(old, p, strict=True)) for p in product(new, repeat=len(new)) if sorted(p) == sorted(new)]
        need(
            {
                "fool": one,
                "merchant": True,
                "maid": one and new[0] - old[0] in (1, 2, 3),
                "magician": one,
                "astronomer": one and new[0] in self.kept,
                "philosopher": len(old) == 2 and sum(old) == sum(new),
                "alchemist": len(old) in (2, 3) and sum(old) == sum(new),
                "noblewoman": any(all(b == a + 1 for a, b in p) for p in pairs),
                "nobleman": any(all(b == a + 2 for a, b in p) for p in pairs),
            }.get(card, False)
        )
        for die in old:
            self.active.remove(die)
        self.active += new
        self.used.append(card)

    def buy(self, card: str) -> None:
        need(not self.last_round and self.thrown and not self.active and pays(card, self.kept))
        own = self.cards[self.who]
        if card == "charlatan":
            need("fool" in own)
            own.remove("fool")
        else:
            need(card not in own and self.shop[card] > 0)
            self.shop[card] -= 1
        own.append(card)
        if card == "king":
            self.shop["queen"] -= 1
            own.append("queen")
            self.claimant = self.king = self.who
            self.best = self.group()
        self.next_turn()

    def group(self) -> tuple[int, int]:
        return max((self.kept.count(v), v) for v in range(1, 7))

    def challenge(self) -> None:
        mine = self.group()
        if mine > self.best or (mine == self.best and self.who == self.claimant):
            self.cards[self.king].remove("king")
            self.cards[self.who].append("king")
            self.king, self.best = self.who, mine
