"""`cardgen schema`: the JSON Schema of card files, for editors."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._output import print_data, print_line


@click.command("schema")
@click.option("--game", help="Game (default: the game of the project).")
@click.option(
    "--for",
    "subject",
    type=click.Choice(("cards", "game", "layout")),
    default="cards",
    show_default=True,
    help="Files to describe: card files, the game.yaml of a game of your own, or layouts.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write (default: standard output)."
)
def command(game: str | None, subject: str, output: Path | None) -> None:
    """Print the JSON Schema of card files, of game files, or of layouts.

    With the schema, editors complete keys and mark mistakes while you type. Save it to a file, and start each card file
    with '# yaml-language-server: $schema=FILE'.
    """
    from cardgen.deck import table_export  # loaded here to keep 'cardgen --help' fast
    from cardgen.runtime.atomic_write import write
    from cardgen.runtime.escapes import dump_json
    from cardgen.runtime.regular_file import DASH

    text = dump_json(table_export.SCHEMAS[subject](game))
    if output is None or output == DASH:
        print_data(text)
    else:
        write(output, text.encode())
        print_line(output.as_posix())
