"""Documents agree with the program: commands, options, page labels and links.

Commands are parsed and not run: a wrong subcommand, option or value fails. In the user guides, bold text is a label of
a page, and a quoted sentence is one that a page shows.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import click
import polib
import pytest

from companion.cli import COMMANDS, courtside
from companion.i18n.languages import CATALOGUES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(DOCS.rglob("*.md")),
    ROOT / "models" / "README.md",
    ROOT / "datasets" / "README.md",
]
GUIDES = [
    DOCS / f"{name}.md"
    for name in (
        *("getting-started", "playing", "correcting", "cards", "streaming", "several-tables", "troubleshooting"),
        *("network", "glossary", "how-it-works/odds"),
    )
]
_FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_CALL = re.compile(r"^(?:\S*[/\\])?courtside (.+)$")


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _prose(page: Path) -> str:
    return _FENCED.sub("", _text(page))


def _calls(page: Path) -> Iterator[tuple[list[str], bool]]:
    """The arguments of each `courtside` command in a page, and whether the command is complete, as in a code block."""
    lines = [line for language, block in _FENCED.findall(_text(page)) if language for line in block.splitlines()]
    for line, complete in [(line, True) for line in lines] + [(line, False) for line in _INLINE.findall(_prose(page))]:
        if (call := _CALL.match(line.strip())) and "…" not in line:
            yield shlex.split(call[1].replace("\\", "/"), comments=True), complete


def _parse(
    command: click.Command, name: str, arguments: list[str], complete: bool, parent: click.Context | None = None
) -> None:
    """Parses arguments as the command line does. Raises UsageError; a missing argument counts only if `complete`."""
    settings = {"ignore_unknown_options": False, "resilient_parsing": not complete}
    if not isinstance(command, click.Group):
        command.make_context(name, list(arguments), parent, **settings)
    elif arguments:
        context = command.make_context(name, list(arguments), parent, **settings)
        found, inner, left = command.resolve_command(context, [*context._protected_args, *context.args])
        assert inner is not None
        _parse(inner, found or "", left, complete, context)


def _options() -> set[str]:
    """Every option of every command."""
    found = {"--help", "--version"}
    open_ = [courtside.get_command(click.Context(courtside), name) for name in COMMANDS]
    while open_:
        command = open_.pop()
        assert command is not None
        found |= {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        if isinstance(command, click.Group):
            open_ += command.commands.values()
    return found


def _slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).strip().lower())
    return kept.replace(" ", "-")


@cache
def _messages() -> tuple[str, ...]:
    """Every English text of pages and commands, with placeholders."""
    entries = polib.pofile(str(CATALOGUES / "de.po"))
    return tuple(text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text)


@cache
def _filled() -> re.Pattern[str]:
    """A pattern that matches each text with any values; texts of placeholders alone would match anything."""
    marks = re.compile(r"%\(\w+\)s|\{\w+\}")
    telling = [text for text in _messages() if len(re.findall(r"[a-z]", marks.sub("", text))) > 8]
    return re.compile("|".join(".+".join(map(re.escape, marks.split(text))) for text in telling))


def _is_said(sentence: str) -> bool:
    """Whether the program says this, or something that begins with it."""
    return bool(_filled().fullmatch(sentence)) or any(text.startswith(sentence) for text in _messages())


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        headings = re.findall(r"^#+ (.+)$", _text(target), re.MULTILINE) if anchor and target.is_file() else []
        if not target.exists() or (anchor and anchor not in map(_slug, headings)):
            lost.append(link)
    assert not lost


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_commands_exist_with_their_options(page: Path) -> None:
    for arguments, complete in _calls(page):
        asked = [argument for argument in arguments if argument not in ("--help", "--version", "COMMAND")]
        _parse(courtside, "courtside", asked, complete)


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES], ids=_name)
def test_options_named_in_the_guides_exist(page: Path) -> None:
    named = {code.split()[0] for code in _INLINE.findall(_prose(page)) if code.startswith("--")}
    assert named <= _options()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_scripts_and_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    code = "\n".join([*(block for _, block in _FENCED.findall(_text(page))), *_INLINE.findall(_prose(page))])
    assert set(re.findall(r"^make ([a-z-]+)", code, re.MULTILINE)) <= targets
    modules = re.findall(r"python -m ((?:scripts|tests)\.[\w.]+)", code)
    assert [name for name in modules if find_spec(name) is None] == []


@pytest.mark.parametrize("page", GUIDES, ids=_name)
def test_bold_words_of_the_guides_are_labels_of_pages(page: Path) -> None:
    labels = {" ".join(label.split()) for label in re.findall(r"\*\*([^*]+)\*\*", _prose(page))}
    assert labels - set(_messages()) == set()


@pytest.mark.parametrize("page", GUIDES, ids=_name)
def test_sentences_quoted_in_the_guides_are_said_by_the_program(page: Path) -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "companion").rglob("*.py"))
    quoted = [" ".join(said.split()) for said in re.findall(r"“([^”]+)”", _prose(page)) if said.count(" ") > 1]
    for table in re.findall(r"^\| the page says \|.*\n\|.*\n((?:\|.*\n)+)", _text(page), re.MULTILINE):
        quoted += [row.split("|")[1].strip() for row in table.splitlines()]
    assert [said for said in quoted if not _is_said(said) and said not in source] == []


def test_the_documents_stay_small() -> None:
    """60 kB of text, without code and without the page generated by `tests.kit.figures`."""
    written = [page for page in DOCS.rglob("*.md") if page.name != "benchmarks.md"]
    assert sum(len(_prose(page).encode()) for page in written) <= 60_000


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CHANGELOG.md", *GUIDES], ids=_name)
def test_the_guides_avoid_words_of_the_old_dialect(page: Path) -> None:
    old = r"\b(aslant|lain|anew|whoever|nobody|somebody|seldom|lately|besides|throw\w*|lies|tells?|told)\b"
    allowed = {"docs/glossary.md": {"throw"}}  # the rulebooks' own word
    assert set(re.findall(old, _prose(page))) <= allowed.get(_name(page), set())


def test_the_record_entries_of_the_guides_are_read() -> None:
    from engine.games import game

    entries = re.findall(r"^\| `[A-F] ([^`]+)` \|", _text(DOCS / "correcting.md"), re.MULTILINE)
    assert len(entries) >= 5
    for entry in entries:
        game("krone").read_event(entry)
