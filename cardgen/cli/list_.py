"""`cardgen list`: which cards there are."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("list")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Only these cards; may be given several times.")
def command(paths: tuple[Path, ...], only: tuple[str, ...]) -> None:
    """List the cards in card files: kind, id, copies, name and place."""
    from cardgen.pipeline import loading  # loaded here, so that 'cardgen --help' stays quick

    rows = [("KIND", "ID", "QTY", "NAME", "PLACE"), *loading.listing(paths, only)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        kind, name_id, qty, name, place = row
        click.echo(f"{kind:<{widths[0]}}  {name_id:<{widths[1]}}  {qty:>{widths[2]}}  {name:<{widths[3]}}  {place}")
