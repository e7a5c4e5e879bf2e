"""`cardgen proof`: the pieces of a finished PDF, as they are once it is cut."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._output import json_option, print_json, print_line
from cardgen.cli.preflight import counted, print_findings
from cardgen.units import quantity


@click.command("proof")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("cut_list", type=click.Path(path_type=Path), required=False, metavar="[CUTLIST]")
@click.option(
    "--backs",
    type=click.Choice(("long-edge", "short-edge", "gutterfold", "none")),
    help="How the sheets are printed.  [default: as the PDF says]",
)
@click.option(
    "--pictures", type=click.Path(path_type=Path, file_okay=False), help="Folder for a picture of each piece, as cut."
)
@json_option
@click.pass_context
def command(
    context: click.Context, file: Path, cut_list: Path | None, backs: str | None, pictures: Path | None, as_json: bool
) -> None:
    """Cut a finished PDF on the screen, and measure each piece.

    Follows the cut list in the PDF or in CUTLIST, which can be another PDF or the SVG or DXF file of a cutter. Without
    one, cuts along the cut marks, or the TrimBox of each page. Reports trim, bleed, offsets of backs, marks on pieces,
    the smallest type, and the resolution of pictures. Nothing else is read, so the PDF can be anybody's. Exits with 1
    if pieces would be spoiled.
    """
    from cardgen.sheet.leaf import Backs  # loaded here to keep 'cardgen --help' fast
    from cardgen.target.proof import as_data, prove, summaries

    proof = prove(file, cut_list, Backs(backs) if backs else None, pictures)
    if as_json:
        print_json("proof", as_data(proof))
    else:
        print_findings(proof.findings)
        for each in summaries(proof):
            print_line(each)
        if proof.uncut:
            pages = ", ".join(map(str, proof.uncut))
            print_line(f"not cut, because nothing says where: page{'s' if len(proof.uncut) > 1 else ''} {pages}")
        if pictures:
            print_line(f"{quantity(len(proof.pictures), 'picture')} in {pictures}")
        ways = ", ".join(f"{quantity(count, 'sheet')} by {source}" for source, count in proof.sources.items())
        print_line(f"{quantity(len(proof.pieces), 'piece')} on {ways}, {counted(proof.findings)}")
    if proof.errors:
        context.exit(1)
