"""`cardgen reference`: rules summaries, as sheets to print and as web pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._file_options import formats_option as formats_option
from cardgen.cli._file_options import output_option, split_formats


@click.command("reference")
@click.argument("sheets", nargs=-1, metavar="[SHEET]...")
@output_option
@formats_option("pdf for paper, html for a web page in one file.")
@click.option("--paper", help="Paper: a4, letter, a5, legal, or for instance '210mm x 297mm'.")
@click.option("--columns", type=click.IntRange(1, 4), help="Columns of a page.")
@click.option("--fold", is_flag=True, help="Two pages a side, in the order of a booklet to be folded and stapled.")
@click.option("--theme", help="Theme of the sheets, such as low-ink.")
@click.option("--warband", "of", metavar="NAME", help="Only the sheets of this list of cards.")
@click.option(
    "--cards", "paths", multiple=True, type=click.Path(path_type=Path), help="Card files instead of the project's."
)
@click.option("--game", help="The game; without it the one that the project plays.")
@click.option("--list", "listing", is_flag=True, help="List the sheets, and make none.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems.")
def command(formats: tuple[str, ...], listing: bool, quiet: bool, **given: Any) -> None:
    """Make reference sheets: rules summaries that never contradict the cards.

    SHEETS are names of the game's sheets or of the project's own, or files; without any, all are made.
    Numbers, terms, rulings and odds on them come from the cards and the referee.
    """
    from cardgen.pipeline.reference import make_sheets  # loaded here, so that 'cardgen --help' stays quick

    if listing:
        for name, title, about in make_sheets.list_sheets(given["game"]):
            click.echo(f"{name:<16} {title}{': ' if about else ''}{about}")
        return
    result = make_sheets.make_sheets(make_sheets.SheetRequest(formats=split_formats(formats), **given))
    if not quiet:
        for path in result.files:
            click.echo(path.as_posix())
        click.echo(result.summary)
