"""`cardgen rulings`: house rules where the rulebook is silent."""

from __future__ import annotations

import click


@click.command("rulings")
@click.option("--game", help="The game; without it the one that the project plays.")
def command(game: str | None) -> None:
    """List the rulings: what is decided how, and what else it could be.

    The setting in force has a star. Turn one over with --ruling NAME=SETTING, or under 'rulings' in cardgen.yaml.
    """
    from cardgen.pipeline.referee import run  # loaded here, so that 'cardgen --help' stays quick

    last_name = ""
    for name, question, holds, default, setting, words in run.list_rulings(game):
        if name != last_name:
            click.echo(f"{name}: {question}")
            last_name = name
        click.echo(f"  {'*' if holds else ' '} {setting}{' (default)' if default and not holds else ''}: {words}")
