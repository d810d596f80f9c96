"""The names of the cards in the languages of the editions.

The Finnish edition leaves "Pawnbroker" in English; "Panttilainaaja" is our translation.
"""

from __future__ import annotations

from engine.errors import Unreadable
from engine.names import Names

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
_NAMES = Names(NAMES)
called = _NAMES.called
card_named = _NAMES.id_of


def read_card(text: str) -> str:
    """The id of the card with this name in any language.

    Raises:
        Unreadable: There is none.
    """
    card = card_named(text)
    if card is None:
        raise Unreadable("there is no card “{text}”", text=text.strip())
    return card
