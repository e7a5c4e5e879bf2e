"""Options of commands that run a trial, including those it declares."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from cardgen.cli._group import CARD, complete_names, name_variables
from cardgen.cli._options import (
    WholeNumber,
    cards_option,
    format_of_file,
    print_or_write,
    start_in_project_of,
    workspace,
)
from cardgen.cli._output import json_option, json_text, print_json, print_line, prompt, remember_json_format
from cardgen.diagnostic import escape_controls
from cardgen.runtime.regular_file import DASH

GAME_KEY = "cardgen.game"
_FORMATS = ("text", "json", "csv")


class TrialCommand(click.Command):
    """A command whose options come from the situation of a trial."""

    trial = ""
    taken: tuple[str, ...] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, because it defines the options."""
        ctx.meta[GAME_KEY] = requested_game(ctx, args) or ctx.meta.get(GAME_KEY)
        if not ctx.resilient_parsing:
            self._refuse_repeated_options(ctx, args)
        return super().parse_args(ctx, args)

    def _refuse_repeated_options(self, ctx: click.Context, args: list[str]) -> None:
        """Raise UsageError for options that are given twice or exclude each other: click would drop the first one."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        given: dict[str | None, click.Option] = {}
        for option in order:
            if isinstance(option, click.Option) and not option.multiple:
                before = given.setdefault(option.name, option)
                if before is not option:
                    raise click.UsageError(f"{before.opts[-1]} and {option.opts[-1]} cannot be combined", ctx)
                if not option.is_flag and order.count(option) > 1:
                    raise click.UsageError(f"{option.opts[-1]} is given twice, but has one value", ctx)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command and of the situation."""
        own = _trial_parameters(self.trial, self.taken, ctx.meta.get(GAME_KEY))
        return [*super().get_params(ctx), *name_variables(ctx.command_path, complete_names(own))]


def requested_game(context: click.Context, args: list[str]) -> str | None:
    """Return the value of --game or its variable, or None; then the project of --cards says which game it is."""
    values = [arg for option, arg in pairwise(args) if option == "--cards"]
    values += [arg.removeprefix("--cards=") for arg in args if arg.startswith("--cards=")]
    start_in_project_of(map(Path, values))
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
    from cardgen.matches.session import trial_parameters

    return [
        trial_option(name, option)
        for name, (option, _) in trial_parameters(trial, game, workspace()).items()
        if name not in positional
    ]


def trial_option(name: str, option: Any) -> click.Option:
    """Return the option for a parameter of a situation."""
    flag = "--" + name.replace("_", "-")
    if option.sort in ("flag", "deck"):
        return click.Option([flag], is_flag=True, default=None, help=option.help)
    kind: Any = argument_type(option) or (click.Choice(option.words) if option.words else str)
    text = _with_unit(option.help, option.unit) if option.sort == "number" and option.unit else option.help
    metavar = CARD if option.sort in ("card", "cards") else None
    return click.Option([flag], type=kind, multiple=option.sort == "cards", default=None, help=text, metavar=metavar)


def argument_type(option: Any) -> WholeNumber | None:
    """Return the type of an argument for a parameter: a number in its range, or text."""
    return WholeNumber(option.low, option.high) if option.sort == "number" else None


def _with_unit(text: str, unit: str) -> str:
    """Insert a unit after the first phrase: 'Distance in cm (…).'"""
    phrase = re.split(r"[;,.(]|$", text, maxsplit=1)[0].rstrip()
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
    return cards_option(rules_options(command))


def format_option(formats: Sequence[str], text: str) -> Callable[[Any], Any]:
    """Return the option for the format of a result, by default that of its file; `text` is its help."""
    text = f"{text}  [default: that of the file's name, else text]"
    return click.option("--format", "form", type=click.Choice(formats), callback=remember_json_format, help=text)


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
            help="File for the transcript of a roll, or for the odds, or - for standard output.",
        ),
        format_option(_FORMATS, "Format of the odds table, or with json also of a roll."),
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
    from cardgen.matches import trials
    from cardgen.matches.session import TrialRequest

    mode = options.pop("reading", None) or default_mode
    as_json, form, output, plot = (options.pop(name) for name in ("as_json", "form", "output", "plot"))
    writes_odds = mode in ("odds", "duel") and output is not None
    if writes_odds and plot is not None:
        raise click.UsageError("--output and --plot cannot be combined")
    form = "json" if as_json else form or (format_of_file(output, _FORMATS) if writes_odds else "text")
    is_data, writes_output = form == "json", DASH in (output, plot)
    if is_data and writes_output and not writes_odds:
        raise click.UsageError("only one of --json, -o -, and --plot - can use standard output")
    report = list[str]()
    if writes_odds:
        tell, emit = partial(_add_line, report), lambda content: report.append(json_text(trial, content))
    else:
        tell, emit = partial(print_line, err=is_data or writes_output), partial(print_json, trial)
    run_settings = trials.RunOptions(mode, options.pop("seed"), None if writes_odds else output, form, plot)
    game = options.pop("game", None)
    rulings, policy, paths = terms
    request = TrialRequest(trial, given_values({**values, **options}), rulings, policy, paths, game, workspace())
    if mode == "duel":
        trials.run_duel(request, run_settings, tell, emit)
    else:
        trials.run_trial(request, run_settings, partial(prompt, err=is_data or writes_output), tell, emit)
    if writes_odds:
        print_or_write(report, output)


def _add_line(report: list[str], line: str) -> None:
    report.append(f"{escape_controls(line)}\n")
