"""`cardgen trial`: everything that the game's referee can judge, by name."""

from __future__ import annotations

from typing import Any

import click

from cardgen.cli._situation import GAME, derived, judge, named_game, readings, switches


class _Trials(click.Group):
    """One command for each trial of the game; what it must know stands in front, the rest are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for the game before anything else: the commands below are its own."""
        ctx.meta[GAME] = named_game(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The trials of the game."""
        from cardgen.pipeline.refereeing import trials

        return sorted(trials(ctx.meta.get(GAME)))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """A command for the trial of that name."""
        from cardgen.pipeline.refereeing import trial_options, trials

        about = trials(ctx.meta.get(GAME))
        if name not in about:
            return None
        needed = [key for key, (_, required) in trial_options(name, ctx.meta.get(GAME)).items() if required]
        command: Any = switches(readings(lambda **values: _judge(name, values)))
        for key in reversed(needed):
            command = click.argument(key)(command)
        made: click.Command = click.command(name, cls=derived(name, *needed), help=about[name])(command)
        return made


def _judge(trial: str, values: dict[str, Any]) -> None:
    terms = tuple(values.pop(name) for name in ("rulings", "policy", "paths"))
    values["game"] = values.get("game") or click.get_current_context().meta.get(GAME)
    judge(trial, {}, terms, values)


@click.command("trial", cls=_Trials)
@click.option("--game", metavar="GAME", help="The game; without it the one that the project plays.")
def command(game: str | None) -> None:
    """Judge anything that the game's referee knows: roll it, work it out, or ask for real dice.

    'cardgen trial --help' lists what there is, 'cardgen trial NAME --help' what it wants to know.
    """
