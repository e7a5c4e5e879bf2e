"""`cardgen table`: cards as spreadsheets and JSON, written, and downloaded from where they are published."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._group import SuggestingGroup, complete_names, name_variables, shared_options
from cardgen.cli._options import paths_argument, workspace
from cardgen.cli._output import json_option, print_json, print_line

_FORMATS = ("csv", "xlsx", "ods", "json", "jsonl")


@click.group("table", cls=SuggestingGroup)
def command() -> None:
    """Write cards as tables, or download tables: CSV, XLSX, ODS, JSON, or JSON Lines.

    Tables named under 'tables' in cardgen.yaml belong to the cards of a project; every command reads them.
    """


@command.command("export")
@click.argument("kind")
@paths_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("-"),
    help="File to write (default: standard output).",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(_FORMATS),
    help="Format (default: from the file's name; for standard output, csv).",
)
@click.option(
    "--only",
    multiple=True,
    metavar="KIND|NAME|TAG",
    help="Write only cards that match a kind, name, tag, or value (suit=shells). Can be repeated.",
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@json_option
def export(
    kind: str, paths: tuple[Path, ...], output: Path, file_format: str | None, only: tuple[str, ...], force: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Write the cards of a kind as a table that cardgen reads.

    PATHS are card files or folders; the default is the project's cards. All cells are text, so that spreadsheets leave
    them as they are, and none is a formula.
    """
    from cardgen.deck.table_export import export_table  # loaded here to keep 'cardgen --help' fast
    from cardgen.project.files import display_path
    from cardgen.runtime.regular_file import DASH

    if as_json and output == DASH:
        raise click.UsageError("--json needs --output, because the table itself goes to standard output")
    result = export_table(kind, paths, only, output, file_format, force=force, workspace=workspace())
    if output == DASH:
        return
    file = display_path(result.file)
    if as_json:
        print_json("table", {"files": [file], "cards": result.cards})
        return
    print_line(file)
    print_line(f"next: to read it, add it to cardgen.yaml under 'tables', with 'kind: {kind}'", err=True)


export.params += shared_options("cardgen table export", hidden=True)
name_variables("cardgen table export", complete_names(export.params))


@command.command("pull")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@click.option("--url", metavar="ADDRESS", help="Where the table is published, with https; asked for once.")
@click.option("--force", is_flag=True, help="Replace a file that has changed since it was downloaded.")
@json_option
def pull(files: tuple[Path, ...], url: str | None, force: bool, as_json: bool) -> None:
    """Download tables that are published on the web, and keep them as files of the project.

    'cardgen table pull cards/heroes.csv --url https://…' downloads a table for the first time. The address is kept in
    your own settings, not in the project; from then on, 'cardgen table pull' downloads all tables of the project again.

    No other command downloads cards, and no project can name an address.
    """
    from cardgen.deck.table_pull import pull_tables  # loaded here to keep 'cardgen --help' fast
    from cardgen.project.files import display_path
    from cardgen.units import quantity

    pulled = pull_tables(files, url, force=force, workspace=workspace())
    if as_json:
        rows = [{"file": display_path(each.file), "rows": each.rows, "changed": each.is_changed} for each in pulled]
        print_json("table", {"tables": rows})
        return
    for each in pulled:
        count = f"{quantity(each.rows, 'row')}, " if each.rows else ""
        print_line(f"{display_path(each.file)}: {count}{'changed' if each.is_changed else 'unchanged'}")
    if url is not None:
        print_line(
            "next: to read it, add it to cardgen.yaml under 'tables'; then 'cardgen table pull' is enough", err=True
        )
