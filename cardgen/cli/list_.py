"""`cardgen list`: cards, sizes and sprues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click


@click.command("list")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Only these cards; may be given several times.")
@click.option("--sizes", is_flag=True, help="The sizes of cards and papers instead, and what uses them here.")
@click.option("--sprues", is_flag=True, help="The sprues instead: arrangements of slots on paper, for build --sprue.")
def command(paths: tuple[Path, ...], only: tuple[str, ...], sizes: bool, sprues: bool) -> None:
    """List the cards in card files: kind, id, copies, name and place."""
    if (sizes or sprues) and (paths or only or sizes is sprues):
        raise click.UsageError("--sizes and --sprues stand alone: they list no cards")
    if sizes:
        from cardgen.pipeline import preview  # loaded here, so that 'cardgen --help' stays quick

        _table([("SIZE", "MILLIMETRES", "USED BY"), *preview.list_sizes()])
        return
    if sprues:
        from cardgen.pipeline import options

        _table([("SPRUE", "PAPER", "SLOTS", "WHAT IT IS"), *options.list_sprues()], numbers=2)
        return
    from cardgen.pipeline.load import deck

    _table([("KIND", "ID", "QTY", "NAME", "PLACE"), *deck.list_cards(paths, only)], numbers=2)


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
