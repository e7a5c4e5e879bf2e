"""`cardgen new`: a project, or a card to start from."""

from __future__ import annotations

from pathlib import Path

import click

_PROJECT = "project"


@click.command("new")
@click.argument("what", metavar="project|KIND")
@click.argument("name", required=False)
@click.option("--sample", is_flag=True, help="With the sample cards of the game (project only).")
@click.option("--game", help="The game that is played (project only).")
def command(what: str, name: str | None, sample: bool, game: str | None) -> None:
    """Make a card project, or a card in the project at hand.

    'cardgen new project [FOLDER]' writes cardgen.yaml, with all settings, and a folder for cards.
    'cardgen new KIND NAME', such as 'cardgen new minion Sentinel', writes cards/sentinel.yaml, which can be built at
    once. Nothing is ever overwritten.
    """
    if what == _PROJECT:
        _project(Path(name or "."), game, sample=sample)
    elif sample or game:
        raise click.UsageError("--sample and --game are for projects: cardgen new project [FOLDER] --sample")
    elif name is None:
        raise click.UsageError(f"a {what} needs a name: cardgen new {what} NAME")
    else:
        _card(what, name)


def _project(folder: Path, game: str | None, *, sample: bool) -> None:
    from cardgen.pipeline.scaffold import game_and_others, new_project  # loaded here for a quick 'cardgen --help'

    for path in new_project(folder, game, sample=sample):
        click.echo(path.as_posix())
    chosen, others = game_and_others(game)
    if not game and others:
        click.echo(f"game: {chosen}; --game chooses another one: {', '.join(others)}", err=True)
    enter = "" if folder == Path() else f"cd {folder.as_posix()}, then "
    click.echo(f"next: {enter}{'cardgen build' if sample else 'cardgen new KIND NAME'}", err=True)


def _card(kind: str, name: str) -> None:
    from cardgen.pipeline.scaffold import new_card
    from cardgen.project.files import display_path

    click.echo(display_path(new_card(kind, name)))
    click.echo("next: edit it while 'cardgen build --watch' runs", err=True)
