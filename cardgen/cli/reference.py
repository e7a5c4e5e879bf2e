"""`cardgen reference`: rules summaries as print sheets and web pages."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import WholeNumber, build_option, cards_option, output_option, split_formats, workspace
from cardgen.cli._options import formats_option as formats_option
from cardgen.cli._output import json_option, print_json, print_line


@click.command("reference")
@click.argument("sheets", nargs=-1, metavar="[SHEET]...")
@output_option
@formats_option("pdf for paper; html for a web page in a single file.")
@click.option("--paper", help="Paper size: a4, letter, a5, legal, or a size such as '210mm x 297mm'.")
@click.option("--columns", type=WholeNumber(1, 4), help="Number of columns per page.")
@click.option("--fold", is_flag=True, help="Place two pages on each side, in booklet order for folding and stapling.")
@click.option(
    "--impose",
    type=WholeNumber(1, 2),
    help="Join all sheets of a paper size in one PDF for double-sided printing, with 1 or 2 pages on each side.",
)
@click.option("--trim", is_flag=True, help="Add cut marks and rounded corners, for lamination.")
@click.option("--theme", help="Theme of the sheets, such as low-ink.")
@click.option(
    "--of",
    "--warband",
    "--pack",
    "of",
    metavar="NAME",
    help="Make only the sheets of this warband, other list, or group.",
)
@cards_option
@click.option("--game", help="Game (default: the cards' or the project's).")
@build_option("language", "reference")
@click.option("--list", "listing", is_flag=True, help="List the sheets instead of making them.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def command(
    formats: tuple[str, ...],
    language: tuple[str, ...],
    output: Path,
    listing: bool,
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Make reference sheets, which summarize the rules.

    SHEET is the name of a sheet of the game or of the project, or a file; the default is all sheets.

    The numbers, terms, rulings, and odds on the sheets come from the cards and the referee, so they always agree with
    the cards.
    """
    from cardgen.reference_sheets import make_sheets  # loaded here to keep 'cardgen --help' fast

    if listing:
        sheets = make_sheets.list_sheets(given["game"], workspace(), given["paths"])
        if as_json:
            keys = ("name", "title", "about")
            print_json("reference", {"sheets": [dict(zip(keys, sheet, strict=True)) for sheet in sheets]})
            return
        for name, title, about in sheets:
            print_line(f"{name:<16} {title}{': ' if about else ''}{about}")
        return
    own = workspace(language)
    folder = output / own.language if own.language else output
    result = make_sheets.make_sheets(
        make_sheets.SheetRequest(formats=split_formats(formats), workspace=own, output=folder, **given)
    )
    if as_json:
        print_json("reference", asdict(result))
    elif not quiet:
        for path in result.files:
            print_line(path.as_posix())
        print_line(result.summary)
