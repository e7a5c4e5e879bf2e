"""`cardgen rulings`: house rules for gaps in the rulebook."""

from __future__ import annotations

import click


@click.command("rulings")
@click.option("--game", help="Game (default: the game of the project).")
def command(game: str | None) -> None:
    """List the rulings: house rules for gaps in the rulebook.

    A star marks the current setting. To change it, use --ruling NAME=SETTING for a single run, or 'rulings' in
    cardgen.yaml.
    """
    from cardgen.pipeline.referee import run  # loaded here to keep 'cardgen --help' fast

    last_name = ""
    for name, question, holds, default, setting, words in run.list_rulings(game):
        if name != last_name:
            click.echo(f"{name}: {question}")
            last_name = name
        click.echo(f"  {'*' if holds else ' '} {setting}{' (default)' if default and not holds else ''}: {words}")
