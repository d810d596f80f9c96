"""A second, plain implementation of Knatsch: takes the lines of a record or raises No. The oracle for engine/knatsch.

Written from the rules and without code of the engine. It does not check which card may be revealed.
"""

from __future__ import annotations

from collections import Counter

from tests.engine.plain_knatsch_words import kind, printed, result
from tests.referee.plain_table import need

Card = list[str]  # [id, what it shows or ""]


class PlainKnatsch:
    def __init__(self, players: int, deck: list[str], king: str) -> None:
        self.n, self.deck, self.king = players, deck, king
        self.cards: list[list[Card]] = [[] for _ in range(players)]
        self.guarded: list[dict[str, list[str]]] = [{"castle": [], "special": []} for _ in range(players)]
        self.stacks: dict[str, list[Card | None]] = {"left": [], "right": []}
        self.dealt = self.turn = self.under = 0
        self.again = self.revenge = False
        self.late: int | None = None  # the player whose turn has just ended and who may still place guards
        self.winner: int | None = None
        self.place: list[str] = []  # what the running attempt is for
        self.who = self.throws = 0
        self.leader: int | None = None
        self.beat = (0, 0, 0)
        self.dice: list[int] | None = None
        self.kept: list[int] | None = None

    # Contents of stacks, deck and seats

    def ids(self, seat: int) -> list[str]:
        return [card[0] for card in self.cards[seat]]

    def castles(self, seat: int) -> list[str]:
        return [card for card in self.ids(seat) if kind(card) == "castle"]

    def find(self, place: list[str]) -> Card | None:
        if place[0] in self.stacks:
            stack = self.stacks[place[0]]
            return stack[0] if stack else None
        seat = "ABCDEF".index(place[0])
        return next((card for card in self.cards[seat] if card[0] == place[1]), None) if seat < self.n else None

    def wanted(self, card: str) -> bool:
        return card == "tournament" or card not in self.ids(self.turn)

    def capturable(self, place: list[str]) -> bool:
        """Whether the player on turn may own this card; not for the King."""
        card = self.find(place)
        if card is None or not self.wanted(card[0]):
            return False
        if place[0] in self.stacks:
            return True
        owner = "ABCDEF".index(place[0])
        if owner == self.turn or card[0] == "tournament":
            return False
        if any(card[0] in guarded for guarded in self.guarded[owner].values()):
            return False
        return len(self.castles(owner)) >= (3 if self.n == 2 else 2)

    def anything(self) -> bool:
        places = [["left"], ["right"], *(["ABCDEF"[seat], card] for seat in range(self.n) for card in self.ids(seat))]
        return any(self.capturable(place) for place in places)

    def anything_below(self) -> bool:
        below = [card for stack in self.stacks.values() for card in stack[1:]]
        seen = Counter(card[0] for cards in (*self.cards, *self.stacks.values()) for card in cards if card)
        unseen = Counter(self.deck) - seen
        return any(self.wanted(card[0]) for card in below if card) or (None in below and any(map(self.wanted, unseen)))

    def hidden(self) -> bool:
        return any(stack and stack[0] is None for stack in self.stacks.values())

    # Lines

    def line(self, text: str) -> None:
        letter, verb, *words = text.split()
        seat = "ABCDEF".index(letter)
        need(self.winner is None)
        acting = self.who if self.place else self.turn
        if verb == "guard" and seat == self.late and seat != acting:
            return self.guard(seat, words)
        need(seat == acting)
        if verb == "guard":
            self.guard(seat, words)
        elif verb == "under":
            self.put_under(words[0])
        else:
            getattr(self, "passing" if verb == "pass" else verb)(words)

    def deal(self, words: list[str]) -> None:
        need(self.dealt < self.n)
        self.cards[self.turn].append([words[0], words[1] if len(words) > 1 else ""])
        self.dealt += 1
        self.turn = (self.turn + 1) % self.n
        if self.dealt == self.n:
            rest = len(self.deck) - self.n
            self.stacks = {"left": [None] * ((rest + 1) // 2), "right": [None] * (rest // 2)}

    def reveal(self, words: list[str]) -> None:
        self.stacks[words[0]][0] = [words[1], words[2] if len(words) > 2 else ""]

    def combination(self, words: list[str]) -> None:
        if words[0] == "king":
            self.king = words[1]
            return
        card = self.find(words)
        assert card is not None
        card[1] = words[-1]

    def choosing(self) -> None:
        need(self.dealt == self.n and not self.place and not self.revenge)

    def guard(self, seat: int, cards: list[str]) -> None:
        rolling = self.place and (self.dice is not None or self.who != self.turn)
        need(self.dealt == self.n and not rolling)  # any time in one's own turn but between the rolls of an attempt
        need(all(card in self.ids(seat) for card in cards))
        kinds = {kind(card) for card in cards}
        need(len(kinds) == 1 and len(set(cards)) == len(cards))
        of = kinds.pop()
        need(of in ("castle", "special") and f"{of}-guard" in self.ids(seat))
        need(len(cards) <= (2 if of == "castle" else 1) and cards != ["special-guard"])
        need(sorted(cards) != self.guarded[seat][of])
        self.guarded[seat][of] = sorted(cards)
        if seat != self.late:
            self.late = None

    def under_(self, side: str) -> None:
        self.stacks[side].append(self.stacks[side].pop(0))

    def target(self, words: list[str]) -> None:
        self.choosing()
        place = words
        if place == ["king"]:
            need(not self.again and len(self.castles(self.turn)) >= 3 and self.king)
            self.attempt(place, self.turn, 3, printed(self.king), None)
            return
        need(self.capturable(place))
        card, own = self.find(place), self.ids(self.turn)
        assert card is not None
        if card[0] == "tournament":
            self.attempt(place, self.turn, 4, (0, 0, 0), None)
            return
        castle, on_stack = kind(card[0]) == "castle", place[0] in self.stacks
        shows = "2-2-2+4" if castle and on_stack and "betrayal" in own else card[1]
        need(shows)
        throws = 4 if castle and not on_stack and "catapult" in own else 3
        self.attempt(place, self.turn, throws, printed(shows), None)

    def attempt(self, place: list[str], who: int, throws: int, beat: tuple[int, int, int], leader: int | None) -> None:
        self.place, self.who, self.throws, self.beat, self.leader = place, who, throws, beat, leader
        self.dice = self.kept = self.late = None

    def to_roll(self) -> int:
        if self.dice is None:
            return 6
        return 0 if self.kept is None else 6 - self.dice.count(6) - len(self.kept)

    def roll(self, words: list[str]) -> None:
        need(self.place and self.to_roll() == len(words))
        stay = (self.kept or []) + [6] * (self.dice or []).count(6)
        self.dice, self.kept = stay + [int(word) for word in words], None
        self.throws -= 1
        if not self.throws or self.dice.count(6) == 6:
            self.over()

    def keep(self, words: list[str]) -> None:
        need(self.place and self.dice is not None and self.kept is None)
        assert self.dice is not None
        dice = [int(word) for word in words if word != "none"]
        need(6 not in dice and not Counter(dice) - Counter(self.dice) and len(dice) + self.dice.count(6) < 6)
        self.kept = dice

    def stop(self, words: list[str]) -> None:
        need(self.place and self.dice is not None and self.kept is None)
        self.over()

    def passing(self, words: list[str]) -> None:
        if self.place:
            need(self.who != self.turn and self.dice is None)
            self.over()
            return
        self.choosing()
        if not self.again:
            need(not self.hidden() and not self.anything())
        self.next()

    def lose(self, words: list[str]) -> None:
        need(self.revenge and words[0] in self.castles(self.turn))
        need(self.stacks[words[1]] or not any(self.stacks.values()))
        self.stacks[words[1]].append(self.taken(self.turn, words[0]))
        self.next()

    # What follows

    def over(self) -> None:
        """Whether the rolling player is done."""
        extra = [int(card[-1]) for card in self.ids(self.who) if card.startswith("dice-")]
        thrown = result(self.dice + extra) if self.dice is not None else (0, 0, 0)
        better = self.dice is not None and thrown > self.beat
        place, self.place = self.place, []
        if place == ["king"]:
            if better:
                self.winner = self.turn
            elif "protection" in self.ids(self.turn):
                self.next()
            else:
                self.revenge = True
            return
        card = self.find(place)
        assert card is not None
        if card[0] == "tournament":
            self.tournament(place, card, thrown, better)
        elif place[0] in self.stacks:
            self.from_stack(place[0], card, better)
        else:
            self.from_player(place, card, thrown, better)

    def tournament(self, place: list[str], card: Card, thrown: tuple[int, int, int], better: bool) -> None:
        first = self.who == self.turn
        leader = self.who if first or better else self.leader
        beat = thrown if first or better else self.beat
        following = (self.who + 1) % self.n
        if following != self.turn:
            self.attempt(place, following, 4 if "champion" in self.ids(following) else 3, beat, leader)
            return
        assert leader is not None
        self.stacks[place[0]].pop(0)
        self.take(leader, card)

    def from_stack(self, side: str, card: Card, better: bool) -> None:
        if not better:
            self.under_(side)
            self.next()
            return
        self.stacks[side].pop(0)
        if kind(card[0]) == "special":
            self.cards[self.turn].append(card)
            self.again = True
        else:
            self.take(self.turn, card)

    def from_player(self, place: list[str], card: Card, thrown: tuple[int, int, int], better: bool) -> None:
        owner = "ABCDEF".index(place[0])
        attacking = self.who == self.turn
        if attacking and better and kind(card[0]) == "castle":
            self.attempt(place, owner, 3, thrown, self.turn)
        elif attacking == better:
            self.take(self.turn, self.taken(owner, card[0]))
        else:
            self.next()

    def taken(self, seat: int, card: str) -> Card:
        for guarded in self.guarded[seat].values():
            if card in guarded:
                guarded.remove(card)
        if card in ("castle-guard", "special-guard"):
            self.guarded[seat][card.split("-")[0]] = []
        found = next(one for one in self.cards[seat] if one[0] == card)
        self.cards[seat].remove(found)
        return found

    def take(self, seat: int, card: Card) -> None:
        self.cards[seat].append(card)
        castles, tournaments = len(self.castles(seat)), self.ids(seat).count("tournament")
        if castles >= 4 or (castles >= 2 and tournaments >= 3):
            self.winner = seat
        else:
            self.next()

    def next(self) -> None:
        own = self.ids(self.turn)
        self.late = self.turn if "castle-guard" in own or "special-guard" in own else None
        self.turn = (self.turn + 1) % self.n
        self.under, self.again, self.revenge = 0, False, False

    def put_under(self, side: str) -> None:
        self.choosing()
        stack = self.stacks[side]
        need(len(stack) > 1 and stack[0] is not None)
        if self.under >= (2 if "stack" in self.ids(self.turn) else 1):
            need(not self.hidden() and not self.anything() and self.anything_below())
        self.under_(side)
        self.under += 1
        self.late = None
