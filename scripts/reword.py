"""Rewords texts in the code and in every catalogue at once: python -m scripts.reword TABLE.toml

English in the code is the gettext id, so a plain search and replace would lose the translations. The table lists the
texts to change; other translations are kept:

    [en]
    "Correct" = "Fix"                       # old text = new text; a plural has a line for each of its two forms
    [de]
    "Fix" = "Korrigieren"                   # new text = its translation; a list for the forms of a plural

In the code, literals are replaced where they are messages. In tests and scripts a text of several words is replaced in
every string that contains it, a single capitalised word only as a whole string. Run `ruff format` afterwards.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from engine.registry import LANGUAGES
from scripts.catalogues import CATALOGUES, KEYWORDS, ROOT

WIDTH = 100  # characters of text in one line of a literal
CALL = re.compile(r"""\b(?:_|n?gettext)\((?:\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),?)+""")
QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
Words = dict[str, str]


def reword_catalogue(catalogue: Catalog, new: Words, translations: dict[str, str | list[str]]) -> Words:
    """Renames the ids of a catalogue, keeping translations, then sets the translations in `translations`.

    A new text that is in the catalogue already keeps its own translation.

    Args:
        catalogue: The language's catalogue, changed in place.
        new: Old text → new text, in English.
        translations: New text (of a plural its singular) → translation, for a plural a list of all forms.

    Returns:
        Old translation → new translation.
    """
    replaced: Words = {}
    for message in [message for message in catalogue if message.id]:
        old: tuple[str, ...] = tuple(message.id) if isinstance(message.id, (tuple, list)) else (str(message.id),)
        renamed = tuple(new.get(text, text) for text in old)
        string = translations.get(renamed[0], message.string)
        if renamed != old or string != message.string:
            catalogue.delete(message.id)
            form = tuple(string) if isinstance(string, list) else string
            if isinstance(form, str) and isinstance(message.string, str) and message.string:
                replaced[message.string] = form
            if renamed[0] not in catalogue or renamed == old or renamed[0] in translations:
                catalogue.add(renamed if len(renamed) > 1 else renamed[0], form, flags=message.flags)
    return replaced


def literal(text: str) -> list[str]:
    """The text as Python source, one quoted piece for each line it needs."""
    pieces = [""]
    for word in re.findall(r"\S*\s*", text):
        if len(pieces[-1]) + len(word) > WIDTH:
            pieces.append("")
        pieces[-1] += word
    return ['"' + piece.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"' for piece in pieces]


def reword_python(source: str, change: Callable[[ast.Constant, ast.AST], str | None]) -> str:
    """The source with those string literals replaced for which `change(node, parent)` returns another text."""
    starts, edits = list(accumulate(map(len, source.encode().splitlines(keepends=True)), initial=0)), []
    for parent in ast.walk(ast.parse(source)):
        for node in ast.iter_child_nodes(parent):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            text = None if isinstance(parent, (ast.Expr, ast.JoinedStr)) else change(node, parent)
            if text in (None, node.value):
                continue
            begin, end = starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1]
            pieces = literal(text or "")
            bare = len(pieces) == 1 or isinstance(parent, (ast.Call, ast.List, ast.Tuple, ast.Dict))
            end += node.end_col_offset or 0
            edits.append((begin, end, "\n".join(pieces) if bare else "(" + "\n".join(pieces) + ")"))
    result = source.encode()
    for begin, end, text in sorted(edits, reverse=True):
        result = result[:begin] + text.encode() + result[end:]
    return result.decode()


def reword_template(source: str, new: Words) -> str:
    """The Jinja template with the literals of its gettext calls replaced."""

    def quoted(found: re.Match[str]) -> str:
        text = ast.literal_eval(found[0])
        quote = found[0][0]
        return quote + new[text].replace(quote, "\\" + quote) + quote if text in new else found[0]

    return CALL.sub(lambda call: QUOTED.sub(quoted, call[0]), source)


def in_code(new: Words) -> Callable[[ast.Constant, ast.AST], str | None]:
    """A change that replaces messages: arguments of a gettext call, and whole strings of several words."""

    def change(node: ast.Constant, parent: ast.AST) -> str | None:
        called = getattr(parent.func, "id", "") if isinstance(parent, ast.Call) else ""
        return new.get(str(node.value)) if called in KEYWORDS or " " in str(node.value) else None

    return change


def in_tests(new: Words) -> Callable[[ast.Constant, ast.AST], str | None]:
    """A change that replaces texts in the expectations of a test or script."""
    several = sorted((old for old in new if old.count(" ") > (0 if old[0].isupper() else 2)), key=len, reverse=True)
    inside = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)" for old in several) or "(?!)")

    def change(node: ast.Constant, parent: ast.AST) -> str | None:
        text = str(node.value)
        if text in new:
            return new[text] if " " in text or text[0].isupper() else None
        return None if "\n" in text else inside.sub(lambda found: new[found[0]], text)

    return change


def main() -> None:
    """Rewords the files as the table says."""
    table = tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))
    new: Words = table.pop("en", {})
    seen = dict(new)
    for language in LANGUAGES[1:]:
        path = CATALOGUES / f"{language}.po"
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=language)
        seen |= reword_catalogue(catalogue, new, table.get(language, {}))
        with path.open("wb") as stream:
            write_po(stream, catalogue, width=120, no_location=True, sort_output=True, omit_header=False)
    for path in (ROOT / "companion").glob("**/templates/*"):
        path.write_text(reword_template(path.read_text("utf-8"), new), "utf-8")
    changes = dict.fromkeys(("companion", "engine", "vision"), in_code(new))
    for folder, change in (changes | dict.fromkeys(("tests", "scripts"), in_tests(seen))).items():
        for path in (ROOT / folder).rglob("*.py"):
            path.write_text(reword_python(path.read_text("utf-8"), change), "utf-8")


if __name__ == "__main__":
    main()
