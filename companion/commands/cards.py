"""`courtside cards`: teach the camera your cards, and read pictures with them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from companion.cli_errors import CliError, print_error
from vision.sources.header import SHORTEST_SIDE

if TYPE_CHECKING:
    from companion.camera.own_cards import OwnCards
    from vision.cards.card_set import CardSet
    from vision.types import Image

Result = TypeVar("Result")
_SET = click.option(
    "--set", "name", required=True, metavar="NAME", help="Name of the card set, for example the edition."
)


@click.group("cards")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the card sets. Default: your data folder.",
)
@click.pass_context
def command(context: click.Context, folder: Path | None) -> None:
    """Teach your cards and read them in pictures."""
    context.obj = folder


@command.command("teach")
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_SET
@click.option("--as", "kind", metavar="KIND", help="Name of the card. Default: the file name of the picture.")
@click.option(
    "--game",
    default="",
    metavar="GAME",
    help="Game of a new set, by its id.",
)
@click.pass_obj
def teach(folder: Path | None, pictures: tuple[Path, ...], name: str, kind: str | None, game: str) -> None:
    """Learn one card from each PICTURE: the card on a plain surface, or a picture of just the card.

    A card that is learned again keeps its earlier pictures. A picture with no card or several cards is reported on
    standard error, the others are still learned, and the exit status is 2.
    """
    from vision.cards.card_set import SMALLEST_SIDE
    from vision.cards.faces import Index
    from vision.cards.teaching import NotOneCard, alike, as_face, face_in
    from vision.sources.jpeg import Unusable

    sets = _card_sets(folder)
    cards = _load(lambda: sets.load_or_new(name, game))
    if game and cards.game and game != cards.game:
        raise CliError(f"“{name}” is a card set for {cards.game}, not for {game}")
    failed, taught = False, 0
    for path in pictures:
        word = " ".join((kind if kind is not None else path.stem).split())
        try:
            cards = cards.taught(as_face(word, face_in(_picture(path, SMALLEST_SIDE), str(path))))
        except (OSError, Unusable, NotOneCard) as error:
            failed = True
            print_error(_error_text(path, error))
        else:
            taught += 1
    if taught:
        _save(sets, cards)
        click.echo(f"{name}: {taught} learned, {len(cards.kinds)} kinds in the set")
        for one, two in alike(Index(cards.faces)):
            click.echo(f"{one} and {two} look too similar; add another picture of one of them")
    if failed:
        sys.exit(2)


@command.command("read")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@_SET
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.pass_obj
def read(folder: Path | None, images: tuple[Path, ...], name: str, as_json: bool) -> None:
    """Read the cards in IMAGEs: which cards of the set there are, where, and how they are rotated.

    The corners of a card are in pixels, clockwise from its own top left. `turned` is the clockwise rotation in
    degrees. An unknown card has the kind null. The time in milliseconds covers detection and recognition, not
    decoding.
    """
    from vision.cards.card_reader import CardReader
    from vision.cards.faces import Index
    from vision.sources.jpeg import Unusable

    sets = _card_sets(folder)
    cards = _load(lambda: sets.load(name))
    if not cards.faces:
        raise CliError(f"the card set “{name}” is empty")
    reader = CardReader(Index(cards.faces))
    failed = False
    for path in images:
        try:
            image = _picture(path)
        except (OSError, Unusable) as error:
            failed = True
            print_error(_error_text(path, error))
            continue
        began = time.perf_counter()
        seen = reader.read(image)
        milliseconds = round((time.perf_counter() - began) * 1000, 1)
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
            click.echo(
                json.dumps({"image": str(path), "cards": rows, "milliseconds": milliseconds}, ensure_ascii=False)
            )
        else:
            text = ", ".join(_card_text(row) for row in rows) or "no card"
            click.echo(f"{path}: {text}")
    if failed:
        sys.exit(2)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.pass_obj
def list_sets(folder: Path | None, as_json: bool) -> None:
    """List the card sets and their cards."""
    from companion.camera.own_cards import DamagedSet, NoSuchSet

    sets = _card_sets(folder)
    names = sets.names()
    if not names and not as_json:
        click.echo("no card sets yet")
    failed = False
    for name in names:
        try:
            cards = sets.load(name)
        except (DamagedSet, NoSuchSet) as error:
            failed = True
            print_error(str(error))
            continue
        if cards.repair:
            print_error(f"{name}: {cards.repair}")
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
@click.option("--as", "kind", metavar="KIND", help="Delete only this card.")
@click.pass_obj
def forget(folder: Path | None, name: str, kind: str | None) -> None:
    """Delete a set, or one card in it, permanently."""
    sets = _card_sets(folder)
    if kind is None:
        _or_cli_error(lambda: sets.delete(name))
        click.echo(f"{name} is deleted")
        return
    cards = _load(lambda: sets.load(name))
    if kind not in cards.kinds:
        raise CliError(f"“{name}” has no card “{kind}”; it has: {', '.join(cards.kinds)}")
    _save(sets, cards.without(kind))
    click.echo(f"{kind} is deleted")


@command.command("export")
@_SET
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_obj
def export(folder: Path | None, name: str, file: Path) -> None:
    """Write a set to FILE."""
    sets = _card_sets(folder)
    cards = _load(lambda: sets.load(name))
    try:
        file.write_bytes(_or_cli_error(cards.packed))
    except OSError as error:
        raise CliError(f"{file} cannot be written ({error.strerror})") from None


@command.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--set", "name", metavar="NAME", help="Save the set under another name.")
@click.pass_obj
def import_set(folder: Path | None, file: Path, name: str | None) -> None:
    """Import the set from a FILE written by `export`. An existing set of the same name is not replaced."""
    from dataclasses import replace

    from vision.cards.card_set import CardSet, DamagedSet

    sets = _card_sets(folder)
    try:
        cards = CardSet.unpacked(file.read_bytes(), str(file))
    except (OSError, DamagedSet) as error:
        raise CliError(_error_text(file, error)) from None
    if name is not None:
        cards = replace(cards, name=name)
    if cards.name in sets.names():
        raise CliError(f"there is already a set “{cards.name}”; choose another name with --set")
    if cards.repair:
        print_error(cards.repair)
    _save(sets, cards)
    click.echo(f"{cards.name}: {len(cards.kinds)} kinds")


def _card_sets(folder: Path | None) -> OwnCards:
    from companion.camera.own_cards import OwnCards

    return OwnCards(folder)


def _picture(path: Path, shortest: int = SHORTEST_SIDE) -> Image:
    from vision.sources.files import read_picture

    return read_picture(path, shortest)


def _card_text(row: dict[str, Any]) -> str:
    """One card as text for people."""
    turned = f" turned {row['turned']}°" if row["turned"] else ""
    return f"{row['kind'] or 'an unknown card'}{turned}"


def _error_text(path: Path, error: Exception) -> str:
    return f"{path} cannot be opened ({error.strerror})" if isinstance(error, OSError) else str(error)


def _or_cli_error(action: Callable[[], Result]) -> Result:
    from companion.camera.own_cards import DamagedSet, NoSuchSet

    try:
        return action()
    except (DamagedSet, NoSuchSet) as error:
        raise CliError(str(error)) from None


def _load(action: Callable[[], CardSet]) -> CardSet:
    cards = _or_cli_error(action)
    if cards.repair:
        print_error(cards.repair)
    return cards


def _save(sets: OwnCards, cards: CardSet) -> None:
    try:
        _or_cli_error(lambda: sets.save(cards))
    except OSError as error:
        raise CliError(f"{sets.folder} cannot be written ({error.strerror})") from None
