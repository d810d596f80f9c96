"""The names of the cards in five languages.

Dutch words are those of the Dutch rules, English ones those of the rules we follow. German, Finnish and Japanese are
our translations, because no text of those editions was available. The rules name only a red and a green flag among the
six crests; the other four colours are our choice.
"""

from __future__ import annotations

from engine.names import folded
from engine.registry import LANGUAGES

NAMES: dict[str, tuple[str, str, str, str, str]] = {
    "castle": ("Castle", "Burg", "burcht", "Linna", "城"),
    "castle-red": ("Red Castle", "Rote Burg", "rode burcht", "Punainen linna", "赤の城"),
    "castle-green": ("Green Castle", "Grüne Burg", "groene burcht", "Vihreä linna", "緑の城"),
    "castle-blue": ("Blue Castle", "Blaue Burg", "blauwe burcht", "Sininen linna", "青の城"),
    "castle-yellow": ("Yellow Castle", "Gelbe Burg", "gele burcht", "Keltainen linna", "黄の城"),
    "castle-black": ("Black Castle", "Schwarze Burg", "zwarte burcht", "Musta linna", "黒の城"),
    "castle-white": ("White Castle", "Weiße Burg", "witte burcht", "Valkoinen linna", "白の城"),
    "tournament": ("Tournament", "Turnier", "tornooi", "Turnaus", "馬上試合"),
    "dice-1": ("Dice Card 1", "Würfelkarte 1", "dobbelkaart 1", "Noppakortti 1", "ダイスカード1"),
    "dice-2": ("Dice Card 2", "Würfelkarte 2", "dobbelkaart 2", "Noppakortti 2", "ダイスカード2"),
    "dice-3": ("Dice Card 3", "Würfelkarte 3", "dobbelkaart 3", "Noppakortti 3", "ダイスカード3"),
    "dice-4": ("Dice Card 4", "Würfelkarte 4", "dobbelkaart 4", "Noppakortti 4", "ダイスカード4"),
    "dice-5": ("Dice Card 5", "Würfelkarte 5", "dobbelkaart 5", "Noppakortti 5", "ダイスカード5"),
    "catapult": ("Catapult", "Katapult", "katapult", "Katapultti", "投石機"),
    "champion": ("Tournament Champion", "Turniersieger", "tornooi-kampioen", "Turnausmestari", "試合の覇者"),
    "stack": ("Stack", "Stapel", "stapel", "Pino", "山札"),
    "castle-guard": ("Castle Guard", "Burgwache", "wachter voor de burchtkaarten", "Linnanvartija", "城の衛兵"),
    "special-guard": (
        "Special Guard",
        "Wache für Sonderkarten",
        "wachter voor speciale kaarten",
        "Erikoiskortin vartija",
        "特殊カードの衛兵",
    ),
    "betrayal": ("Betrayal", "Verrat", "verraad", "Petos", "裏切り"),
    "protection": ("Protection", "Schutz", "bescherming", "Suojelu", "庇護"),
    "king": ("King", "König", "koning", "Kuningas", "王"),
}


def name(card: str, language: str = "en") -> str:
    """The card's name in this language; a crest of a custom deck keeps its own word."""
    place = LANGUAGES.index(language)
    if card in NAMES:
        return NAMES[card][place]
    kind, _, crest = card.partition("-")
    return f"{NAMES[kind][place]} {crest}"


_IDS = {folded(word): card for card, words in NAMES.items() for word in (card, *words)}


def called(card: str, language: str = "en") -> str | None:
    """The name of a card of this game, including crests of a custom deck; None for any other id."""
    kind, _, crest = card.partition("-")
    return name(card, language) if card in NAMES or (kind == "castle" and crest.isalnum()) else None


def card_named(text: str) -> str | None:
    """The id of the card with this name in any language; None if it is neither a name nor the id of a castle."""
    found = _IDS.get(folded(text))
    if found:
        return found if found not in ("castle", "king") else None
    words = folded(text).split()
    if len(words) == 2 and words[0] == "castle" and words[1].isalnum():
        return f"castle-{words[1]}"
    return None
