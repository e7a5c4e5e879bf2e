"""`cardgen build`: cards become sheets."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._progress import Progress


@click.command("build")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="Folder that the files go to.",
)
@click.option("--paper", help="Paper: a4, letter, a3, legal, tabloid, a5, or for instance '210mm x 297mm'.")
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Only these cards; may be given several times.")
@click.option("--qty", type=click.IntRange(1, 500), help="Copies of each card, instead of what the cards say.")
@click.option("--no-backs", is_flag=True, help="Print fronts only.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems.")
def command(
    paths: tuple[Path, ...],
    output: Path,
    paper: str | None,
    only: tuple[str, ...],
    qty: int | None,
    no_backs: bool,
    quiet: bool,
) -> None:
    """Build print sheets from card files.

    PATHS are card files or folders of them; without any, the project's cards are built.
    For each kind of card one PDF is written: fronts, each sheet followed by its backs.
    """
    from cardgen.pipeline.building import build  # loaded here, so that 'cardgen --help' stays quick
    from cardgen.pipeline.request import Request

    request = Request(paths, output, paper=paper, only=only, qty=qty, backs=not no_backs)
    with Progress(hidden=quiet) as progress:
        built = build(request, progress.step)
    if not quiet:
        for path in built.files:
            click.echo(path.as_posix())
        click.echo(built.summary)
