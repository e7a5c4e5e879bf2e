"""`cardgen list`: which cards there are, and which sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click


@click.command("list")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Only these cards; may be given several times.")
@click.option("--sizes", is_flag=True, help="The sizes of cards and papers instead, and what uses them here.")
def command(paths: tuple[Path, ...], only: tuple[str, ...], sizes: bool) -> None:
    """List the cards in card files: kind, id, copies, name and place."""
    if sizes:
        if paths or only:
            raise click.UsageError("--sizes stands alone: it lists no cards")
        from cardgen.pipeline import showing  # loaded here, so that 'cardgen --help' stays quick

        _table([("SIZE", "MILLIMETRES", "USED BY"), *showing.sizes()])
        return
    from cardgen.pipeline import loading

    _table([("KIND", "ID", "QTY", "NAME", "PLACE"), *loading.listing(paths, only)], numbers=2)


def _table(rows: Iterable[Sequence[str]], numbers: int = -1) -> None:
    """Columns below each other; the one with that index stands to the right."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            f"{cell:>{width}}" if index == numbers else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())
