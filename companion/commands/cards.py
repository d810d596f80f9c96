"""`courtside cards`: teach the camera your cards, and read pictures with them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from companion.cli_errors import complain
from vision.sources.header import SHORTEST_SIDE

if TYPE_CHECKING:
    from companion.camera.own_cards import OwnCards
    from vision.cards.card_set import CardSet
    from vision.types import Image

Answer = TypeVar("Answer")
_SET = click.option("--set", "name", required=True, metavar="NAME", help="The set: an edition, a game, any name.")


@click.group("cards")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where sets are kept (default: your data folder).",
)
@click.pass_context
def command(context: click.Context, folder: Path | None) -> None:
    """Teaches the camera your cards by a picture each, and reads pictures with them."""
    context.obj = folder


@command.command("teach")
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_SET
@click.option("--as", "kind", metavar="KIND", help="What the card is; without it, the name of the picture's file.")
@click.option("--game", default="", metavar="GAME", help="The game of a new set (krone, knatsch).")
@click.pass_obj
def teach(folder: Path | None, pictures: tuple[Path, ...], name: str, kind: str | None, game: str) -> None:
    """Teaches one card a PICTURE: on a plain ground, or the picture is just the card.

    A kind that is taught again keeps its earlier pictures too. A picture without a card, or with several, is named
    on standard error; the others are still taught, and the exit status is 2.
    """
    from vision.cards.card_set import SMALLEST_SIDE
    from vision.cards.faces import Index
    from vision.cards.teaching import NotOneCard, alike, as_face, face_in
    from vision.sources.jpeg import Unusable

    own = _own(folder)
    cards = _loaded(lambda: own.load_or_new(name, game))
    if game and cards.game and game != cards.game:
        _stop(f"“{name}” is a set of cards of {cards.game}, not of {game}")
    failed, taught = False, 0
    for path in pictures:
        word = " ".join((kind if kind is not None else path.stem).split())
        try:
            cards = cards.taught(as_face(word, face_in(_picture(path, SMALLEST_SIDE), str(path))))
        except (OSError, Unusable, NotOneCard) as error:
            failed = True
            complain(_sentence(path, error))
        else:
            taught += 1
    if taught:
        _save(own, cards)
        click.echo(f"{name}: {taught} taught, {len(cards.kinds)} kinds now")
        for one, two in alike(Index(cards.faces)):
            click.echo(f"{one} and {two} look too alike; teach another picture of one of them")
    if failed:
        sys.exit(2)


@command.command("read")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_SET
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_obj
def read(folder: Path | None, images: tuple[Path, ...], name: str, as_json: bool) -> None:
    """Reads the cards on IMAGEs: which of the set lie there, where, and how they are turned.

    The corners of a card go clockwise from its own top left, in pixels of the picture as it is shown; `turned` is
    clockwise.
    A card that is none of the taught has the kind null. The milliseconds are those of finding and recognising, not
    of decoding.
    """
    from vision.cards.faces import Index
    from vision.cards.reading import CardReader
    from vision.sources.jpeg import Unusable

    own = _own(folder)
    cards = _loaded(lambda: own.load(name))
    if not cards.faces:
        _stop(f"no card is taught as “{name}” yet")
    reader = CardReader(Index(cards.faces))
    failed = False
    for path in images:
        try:
            image = _picture(path)
        except (OSError, Unusable) as error:
            failed = True
            complain(_sentence(path, error))
            continue
        began = time.perf_counter()
        seen = reader.read(image)
        spent = round((time.perf_counter() - began) * 1000, 1)
        rows: list[dict[str, Any]] = [
            {
                "kind": card.kind,
                "confidence": round(card.confidence, 4),
                "quad": [list(corner) for corner in card.quad],
                "turned": card.turned,
            }
            for card in seen
        ]
        if as_json:
            click.echo(json.dumps({"image": str(path), "cards": rows, "milliseconds": spent}, ensure_ascii=False))
        else:
            said = ", ".join(_said(row) for row in rows) or "no card"
            click.echo(f"{path}: {said}")
    if failed:
        sys.exit(2)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_obj
def list_sets(folder: Path | None, as_json: bool) -> None:
    """The sets that are taught, with their kinds."""
    from companion.camera.own_cards import DamagedSet, NoSuchSet

    own = _own(folder)
    names = own.names()
    if not names and not as_json:
        click.echo("no cards are taught yet")
    failed = False
    for name in names:
        try:
            cards = own.load(name)
        except (DamagedSet, NoSuchSet) as error:
            failed = True
            complain(str(error))
            continue
        if cards.repair:
            complain(f"{name}: {cards.repair}")
        if as_json:
            click.echo(
                json.dumps(
                    {"set": name, "game": cards.game, "kinds": list(cards.kinds), "pictures": len(cards.faces)},
                    ensure_ascii=False,
                )
            )
        else:
            click.echo(f"{name}{f' ({cards.game})' if cards.game else ''}: {', '.join(cards.kinds) or 'empty'}")
    if failed:
        sys.exit(2)


@command.command("forget")
@_SET
@click.option("--as", "kind", metavar="KIND", help="Only this kind.")
@click.pass_obj
def forget(folder: Path | None, name: str, kind: str | None) -> None:
    """Deletes a set, or one kind of it, for good."""
    own = _own(folder)
    if kind is None:
        _asked(lambda: own.forget(name))
        click.echo(f"{name} is forgotten")
        return
    cards = _loaded(lambda: own.load(name))
    if kind not in cards.kinds:
        _stop(f"“{name}” has no card “{kind}”; it has: {', '.join(cards.kinds)}")
    _save(own, cards.without(kind))
    click.echo(f"{kind} is forgotten")


@command.command("export")
@_SET
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_obj
def export(folder: Path | None, name: str, file: Path) -> None:
    """Writes a set as one FILE."""
    own = _own(folder)
    cards = _loaded(lambda: own.load(name))
    try:
        file.write_bytes(_asked(cards.packed))
    except OSError as error:
        _stop(f"{file} cannot be written ({error.strerror})")


@command.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--set", "name", metavar="NAME", help="Keep it under another name.")
@click.pass_obj
def import_set(folder: Path | None, file: Path, name: str | None) -> None:
    """Keeps the set of a FILE that `export` wrote; one of the same name stays, and is named."""
    from dataclasses import replace

    from vision.cards.card_set import CardSet, DamagedSet

    own = _own(folder)
    try:
        cards = CardSet.unpacked(file.read_bytes(), str(file))
    except (OSError, DamagedSet) as error:
        _stop(_sentence(file, error))
    if name is not None:
        cards = replace(cards, name=name)
    if cards.name in own.names():
        _stop(f"there is a set “{cards.name}” already; give this one another name with --set")
    if cards.repair:
        complain(cards.repair)
    _save(own, cards)
    click.echo(f"{cards.name}: {len(cards.kinds)} kinds")


def _own(folder: Path | None) -> OwnCards:
    from companion.camera.own_cards import OwnCards

    return OwnCards(folder)


def _picture(path: Path, shortest: int = SHORTEST_SIDE) -> Image:
    from vision.sources.files import read_picture

    return read_picture(path, shortest)


def _said(row: dict[str, Any]) -> str:
    """One card for people."""
    turned = f" turned {row['turned']}°" if row["turned"] else ""
    return f"{row['kind'] or 'a card nobody taught'}{turned}"


def _sentence(path: Path, error: Exception) -> str:
    return f"{path} cannot be opened ({error.strerror})" if isinstance(error, OSError) else str(error)


def _asked(question: Callable[[], Answer]) -> Answer:
    from companion.camera.own_cards import DamagedSet, NoSuchSet

    try:
        return question()
    except (DamagedSet, NoSuchSet) as error:
        _stop(str(error))


def _loaded(question: Callable[[], CardSet]) -> CardSet:
    cards = _asked(question)
    if cards.repair:
        complain(cards.repair)
    return cards


def _save(own: OwnCards, cards: CardSet) -> None:
    try:
        _asked(lambda: own.save(cards))
    except OSError as error:
        _stop(f"{own.folder} cannot be written ({error.strerror})")


def _stop(sentence: str) -> NoReturn:
    complain(sentence)
    sys.exit(2)
