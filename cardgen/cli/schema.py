"""`cardgen schema`: the JSON Schema of card files, for editors."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("schema")
@click.option("--game", help="The game; without it the one that the project plays.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
def command(game: str | None, output: Path | None) -> None:
    """Print the JSON Schema of card files.

    An editor that knows it completes keys and marks mistakes while you type. Save it, and begin a card file with
    '# yaml-language-server: $schema=FILE'.
    """
    from cardgen.pipeline.load import deck  # loaded here, so that 'cardgen --help' stays quick
    from cardgen.runtime.atomic_write import write

    text = json.dumps(deck.card_schema(game), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode())
        click.echo(output.as_posix())
