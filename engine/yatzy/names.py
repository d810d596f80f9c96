"""The names of the boxes in five languages.

They are the words of common scoresheets; "Yatzy" is the public name of the game in all of them.
"""

from __future__ import annotations

from engine.names import folded
from engine.registry import LANGUAGES

NAMES: dict[str, tuple[str, str, str, str, str]] = {
    "ones": ("Ones", "Einser", "Enen", "Ykköset", "エース"),
    "twos": ("Twos", "Zweier", "Tweeën", "Kakkoset", "デュース"),
    "threes": ("Threes", "Dreier", "Drieën", "Kolmoset", "トレイ"),
    "fours": ("Fours", "Vierer", "Vieren", "Neloset", "フォー"),
    "fives": ("Fives", "Fünfer", "Vijven", "Vitoset", "ファイブ"),
    "sixes": ("Sixes", "Sechser", "Zessen", "Kutoset", "シックス"),
    "pair": ("One Pair", "Ein Paar", "Eén paar", "Pari", "ワンペア"),
    "two-pairs": ("Two Pairs", "Zwei Paare", "Twee paren", "Kaksi paria", "ツーペア"),
    "three": ("Three of a Kind", "Dreierpasch", "Three of a kind", "Kolme samaa", "スリーカード"),
    "four": ("Four of a Kind", "Viererpasch", "Four of a kind", "Neljä samaa", "フォーカード"),
    "small-straight": ("Small Straight", "Kleine Straße", "Kleine straat", "Pikkusuora", "スモールストレート"),
    "large-straight": ("Large Straight", "Große Straße", "Grote straat", "Isosuora", "ビッグストレート"),
    "full-house": ("Full House", "Full House", "Full house", "Täyskäsi", "フルハウス"),
    "chance": ("Chance", "Chance", "Chance", "Sattuma", "チャンス"),
    "yatzy": ("Yatzy", "Yatzy", "Yatzy", "Yatzy", "ヤッツィー"),
}


def name(box: str, language: str = "en") -> str:
    """The box's name in this language."""
    return NAMES[box][LANGUAGES.index(language)]


def called(box: str, language: str = "en") -> str | None:
    """The name of a box of this game; None for any other id."""
    return name(box, language) if box in NAMES else None


_IDS = {folded(word): box for box, words in NAMES.items() for word in (box, *words)}


def box_named(text: str) -> str | None:
    """The id of the box with this name in any language; None if there is none."""
    return _IDS.get(folded(text))
