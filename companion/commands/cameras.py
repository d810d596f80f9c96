"""`courtside cameras`: the cameras of this computer."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """List the cameras of this computer. Use a camera by its number or part of its name."""
    from vision.sources.devices import devices

    found = devices()
    for device in found:
        click.echo(f"{device.number}  {device.name}")
    if not found:
        click.echo("No camera found. Plug one in, or use a phone: courtside play --source phone")
