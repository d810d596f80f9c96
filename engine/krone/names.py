"""The names of the cards in the languages of the editions.

The Finnish edition leaves "Pawnbroker" in English; "Panttilainaaja" is our translation.
"""

from __future__ import annotations

from engine.names import folded
from engine.registry import LANGUAGES

NAMES: dict[str, tuple[str, str, str, str, str]] = {
    "fool": ("Fool", "Hofnarr", "hofnar", "Hovinarri", "道化師"),
    "charlatan": ("Charlatan", "Scharlatan", "kwakzalver", "Huijari", "ペテン師"),
    "farmer": ("Farmer", "Bauer", "boer", "Rakentaja", "農夫"),
    "maid": ("Serving Maid", "Dienstmagd", "meid", "Kamarineito", "下女"),
    "philosopher": ("Philosopher", "Philosoph", "filosoof", "Filosofi", "哲学者"),
    "laborer": ("Laborer", "Handwerker", "werkman", "Käsityöläinen", "職人"),
    "guard": ("Guard", "Wachmann", "bewaker", "Vartija", "衛兵"),
    "hunter": ("Hunter", "Jäger", "jager", "Metsästäjä", "狩人"),
    "astronomer": ("Astronomer", "Astronom", "astronoom", "Astronomi", "天文学者"),
    "merchant": ("Merchant", "Händler", "handelaar", "Kauppias", "商人"),
    "noblewoman": ("Noblewoman", "Hofdame", "hofdame", "Aatelisnainen", "女官"),
    "pawnbroker": ("Pawnbroker", "Pfandleiher", "pandbaas", "Panttilainaaja", "質屋"),
    "knight": ("Knight", "Ritter", "ridder", "Ritari", "騎士"),
    "magician": ("Magician", "Zauberer", "tovenaar", "Maagikko", "魔術師"),
    "alchemist": ("Alchemist", "Alchemist", "alchemist", "Alkemisti", "錬金術師"),
    "bishop": ("Bishop", "Bischof", "bisschop", "Piispa", "司教"),
    "nobleman": ("Nobleman", "Edelmann", "edelman", "Aatelismies", "貴族"),
    "general": ("General", "Feldherr", "veldheer", "Kenraali", "領主"),
    "queen": ("Queen", "Königin", "koningin", "Kuningatar", "王妃"),
    "king": ("King", "König", "koning", "Kuningas", "国王"),
}


def name(card: str, language: str = "en") -> str:
    """The card's name in this language."""
    return NAMES[card][LANGUAGES.index(language)]


def called(card: str, language: str = "en") -> str | None:
    """The name of a card of this game; None for any other id."""
    return name(card, language) if card in NAMES else None


_IDS = {folded(word): card for card, words in NAMES.items() for word in (card, *words)}


def card_named(text: str) -> str | None:
    """The id of the card with this name in any language; None if there is none."""
    return _IDS.get(text) or _IDS.get(folded(text))
