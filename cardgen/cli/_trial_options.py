"""Options of commands that run a trial, including those it declares."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from cardgen.cli._completion import CARD, complete_names
from cardgen.cli._json import json_option, print_json, remember_json_format
from cardgen.cli._terminal import print_line, prompt
from cardgen.cli._variables import name_variables
from cardgen.runtime.standard_io import DASH

GAME_KEY = "cardgen.game"
CLICK_TYPES = {"number": int, "word": str, "card": str, "cards": str}


class TrialCommand(click.Command):
    """A command whose options come from the situation of a trial."""

    trial = ""
    taken: tuple[str, ...] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, because it defines the options."""
        ctx.meta[GAME_KEY] = requested_game(ctx, args) or ctx.meta.get(GAME_KEY)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command and of the situation."""
        own = _trial_parameters(self.trial, self.taken, ctx.meta.get(GAME_KEY))
        return [*super().get_params(ctx), *name_variables(ctx.command_path, complete_names(own))]


def requested_game(context: click.Context, args: list[str]) -> str | None:
    """Return the value of --game or its variable, or None."""
    for index, arg in enumerate(args):
        if arg.startswith("--game="):
            return arg.removeprefix("--game=")
        if arg == "--game" and index + 1 < len(args):
            return args[index + 1]
    return os.environ.get(f"{context.command_path} game".upper().replace(" ", "_"))


def trial_command(trial: str, *positional: str) -> type[TrialCommand]:
    """Return the command class of a trial; `positional` fields are arguments."""
    return type("Derived", (TrialCommand,), {"trial": trial, "taken": positional})


def _trial_parameters(trial: str, positional: tuple[str, ...], game: str | None) -> list[click.Parameter]:
    from cardgen.pipeline.referee.setup import trial_parameters

    return [
        trial_option(name, option)
        for name, (option, _) in trial_parameters(trial, game).items()
        if name not in positional
    ]


def trial_option(name: str, option: Any) -> click.Option:
    """Return the option for a parameter of a situation."""
    flag = "--" + name.replace("_", "-")
    if option.sort in ("flag", "deck"):
        return click.Option([flag], is_flag=True, default=None, help=option.help)
    kind: Any = CLICK_TYPES[option.sort]
    text = option.help
    if option.sort == "number":
        kind = click.IntRange(option.low, option.high)
        text = _with_unit(text, option.unit) if option.unit else text
    elif option.words:
        kind = click.Choice(option.words)
    metavar = CARD if option.sort in ("card", "cards") else None
    return click.Option([flag], type=kind, multiple=option.sort == "cards", default=None, help=text, metavar=metavar)


def argument_type(option: Any) -> click.IntRange | None:
    """Return the type of an argument for a parameter: a number in its range, or text."""
    return click.IntRange(option.low, option.high) if option.sort == "number" else None


def _with_unit(text: str, unit: str) -> str:
    """Insert a unit after the first phrase: 'Distance in cm (…).'"""
    phrase = re.split(r"\s*(?:[;,.(]|$)", text, maxsplit=1)[0]
    return f"{phrase} in {unit}{text.removeprefix(phrase)}"


def rules_options(command: Any) -> Any:
    """Add the options for rulings, policy, and game."""
    for each in (
        click.option(
            "--ruling", "rulings", multiple=True, metavar="NAME=SETTING", help="Override a house rule for this run."
        ),
        click.option("--policy", multiple=True, metavar="NAME=SETTING", help="Set how choices are made in this run."),
        click.option("--game", metavar="GAME", help="Game (default: the game of the project)."),
    ):
        command = each(command)
    return command


def cards_and_rules_options(command: Any) -> Any:
    """Add the options of commands that look up cards by name."""
    path = click.Path(path_type=Path)
    files = click.option(
        "--cards", "paths", multiple=True, type=path, help="Card files to use instead of the project's."
    )
    return files(rules_options(command))


def format_option(formats: Sequence[str], text: str) -> Callable[[Any], Any]:
    """Return the option for the format of a result, by default text; `text` is its help."""
    choice = click.Choice(formats)
    return click.option("--format", "form", type=choice, default="text", callback=remember_json_format, help=text)


def plot_option(text: str) -> Callable[[Any], Any]:
    """Return the option for the file of a chart; `text` is its help."""
    return click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help=text)


def run_options(command: Any) -> Any:
    """Add the options for rolled, exact, and asked results."""
    for each in (
        click.option("--odds", "reading", flag_value="odds", help="Print the exact odds instead of rolling."),
        click.option("--ask", "reading", flag_value="ask", help="Prompt for the results of real dice."),
        click.option("--seed", metavar="TEXT", help="Seed of the dice, to repeat a roll."),
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path, dir_okay=False),
            help="File for the transcript, or - for standard output.",
        ),
        format_option(("text", "json", "csv"), "Format of the odds table, or with json also of a roll."),
        json_option,
        plot_option("Draw the odds as a chart: FILE.svg or FILE.png."),
    ):
        command = each(command)
    return command


def given_values(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a situation that the user gave."""
    return {name: value for name, value in values.items() if value not in (None, ())}


def run_trial(
    trial: str, values: dict[str, Any], terms: tuple[Any, ...], options: dict[str, Any], default_mode: str = "roll"
) -> None:
    """Run a trial with the values of a command."""
    from cardgen.pipeline.referee import run
    from cardgen.pipeline.referee.setup import TrialRequest

    mode = options.pop("reading", None) or default_mode
    if options.pop("as_json"):
        options["form"] = "json"
    is_data = options["form"] == "json"
    writes_output = DASH in (options["output"], options["plot"])
    if is_data and writes_output:
        raise click.UsageError("only one of --json, -o -, and --plot - can use standard output")
    tell = partial(print_line, err=is_data or writes_output)
    run_settings = run.RunOptions(mode, *(options.pop(name) for name in ("seed", "output", "form", "plot")))
    game = options.pop("game", None)
    rulings, policy, paths = terms
    request = TrialRequest(trial, given_values({**values, **options}), rulings, policy, paths, game)
    if mode == "duel":
        run.run_duel(request, run_settings, tell, partial(print_json, trial))
    else:
        run.run_trial(
            request, run_settings, partial(prompt, err=is_data or writes_output), tell, partial(print_json, trial)
        )
