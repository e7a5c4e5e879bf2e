"""`cardgen list`: cards, sizes and sprues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click


@click.command("list")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="List only matching cards. Can be repeated.")
@click.option("--sizes", is_flag=True, help="List card and paper sizes instead, and where this project uses them.")
@click.option("--sprues", is_flag=True, help="List the sprues for build --sprue instead.")
def command(paths: tuple[Path, ...], only: tuple[str, ...], sizes: bool, sprues: bool) -> None:
    """List cards: kind, id, copies, name, and place.

    PATHS are card files or folders; the default is the project's cards.
    """
    if (sizes or sprues) and (paths or only or sizes is sprues):
        raise click.UsageError("--sizes and --sprues list no cards, and cannot be combined with other options")
    if sizes:
        from cardgen.pipeline import preview  # loaded here to keep 'cardgen --help' fast

        _table([("SIZE", "MILLIMETERS", "USED BY"), *preview.list_sizes()])
        return
    if sprues:
        from cardgen.pipeline import options

        _table([("SPRUE", "PAPER", "SLOTS", "DESCRIPTION"), *options.list_sprues()], numbers=2)
        return
    from cardgen.pipeline.load import deck

    _table([("KIND", "ID", "QTY", "NAME", "PLACE"), *deck.list_cards(paths, only)], numbers=2)


def _table(rows: Iterable[Sequence[str]], numbers: int = -1) -> None:
    """Print aligned columns; the column at index `numbers` is right-aligned."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            f"{cell:>{width}}" if index == numbers else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())
