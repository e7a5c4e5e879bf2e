"""`cardgen trial`: any trial of the game's referee, by name."""

from __future__ import annotations

from typing import Any

import click

from cardgen.cli._group import SuggestingGroup, complete_names, name_variables, shared_options
from cardgen.cli._options import (
    GAME_KEY,
    argument_type,
    cards_and_rules_options,
    requested_game,
    run_options,
    run_trial,
    trial_command,
    workspace,
)


class _TrialGroup(SuggestingGroup):
    """A command for each trial; required parameters are arguments, others options."""

    noun = "trial"

    def refusal(self, ctx: click.Context, name: str) -> str:
        """Return what to say of an unknown trial; another game can have it."""
        from cardgen.matches.session import trial_summaries
        from cardgen.rulesets.ruleset import games

        for game in games():
            if name in trial_summaries(game, workspace()):
                return f"unknown trial '{name}': it belongs to {game}, so add '--game {game}' before it"
        return super().refusal(ctx, name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, because it defines the commands."""
        ctx.meta[GAME_KEY] = requested_game(ctx, args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the trials."""
        from cardgen.matches.session import trial_summaries

        return sorted(trial_summaries(ctx.meta.get(GAME_KEY), workspace()))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command for a trial, or None."""
        from cardgen.matches.session import trial_parameters, trial_summaries

        about = trial_summaries(ctx.meta.get(GAME_KEY), workspace())
        if name not in about:
            return None
        parameters = trial_parameters(name, ctx.meta.get(GAME_KEY), workspace())
        required_names = [key for key, (_, required) in parameters.items() if required]
        command: Any = cards_and_rules_options(run_options(lambda **values: _run_trial(name, values)))
        for key in reversed(required_names):
            command = click.argument(key, type=argument_type(parameters[key][0]))(command)
        trial_command_made: click.Command = click.command(
            name, cls=trial_command(name, *required_names), help=about[name]
        )(command)
        path = f"cardgen trial {name}"
        trial_command_made.params += shared_options(path, hidden=True)
        name_variables(path, complete_names(trial_command_made.params))
        return trial_command_made


def _run_trial(trial: str, values: dict[str, Any]) -> None:
    terms = tuple(values.pop(name) for name in ("rulings", "policy", "paths"))
    run_trial(trial, {}, terms, values)


@click.command("trial", cls=_TrialGroup)
@click.option("--game", metavar="GAME", help="Game (default: the game of the project).")
def command(game: str | None) -> None:
    """Run any trial of the game's referee.

    Roll the trial, compute its odds, or play it with real dice. For the list of trials, see 'cardgen trial --help'; for
    the options of one, 'cardgen trial NAME --help'.
    """
