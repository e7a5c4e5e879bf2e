"""Options of commands that run a trial; each trial declares its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

GAME_KEY = "cardgen.game"
CLICK_TYPES = {"number": int, "word": str, "card": str, "cards": str}


class TrialCommand(click.Command):
    """A command whose options come from the situation of a trial, loaded when they are needed."""

    trial = ""
    taken: tuple[str, ...] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for the game before anything else: the options are its own."""
        ctx.meta[GAME_KEY] = game_argument(args) or ctx.meta.get(GAME_KEY)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, and the situation's."""
        return [*super().get_params(ctx), *_trial_parameters(self.trial, self.taken, ctx.meta.get(GAME_KEY))]


def game_argument(args: list[str]) -> str | None:
    """What stands behind --game."""
    for index, arg in enumerate(args):
        if arg.startswith("--game="):
            return arg.removeprefix("--game=")
        if arg == "--game" and index + 1 < len(args):
            return args[index + 1]
    return None


def trial_command(trial: str, *positional: str) -> type[TrialCommand]:
    """The class of a command for a trial; `taken` are the fields that it asks for by position."""
    return type("Derived", (TrialCommand,), {"trial": trial, "taken": positional})


def _trial_parameters(trial: str, positional: tuple[str, ...], game: str | None) -> list[click.Parameter]:
    from cardgen.pipeline.referee.setup import trial_parameters

    return [
        _click_option(name, option)
        for name, (option, _) in trial_parameters(trial, game).items()
        if name not in positional
    ]


def _click_option(name: str, option: Any) -> click.Parameter:
    flag = "--" + name.replace("_", "-")
    if option.sort in ("flag", "deck"):
        return click.Option([flag], is_flag=True, default=None, help=option.help)
    kind: Any = CLICK_TYPES[option.sort]
    text = option.help
    if option.sort == "number":
        kind = click.IntRange(option.low, option.high)
        text = f"{text.removesuffix('.')} in {option.unit}." if option.unit else text
    elif option.words:
        kind = click.Choice(option.words)
    metavar = {"card": "CARD", "cards": "CARD"}.get(option.sort)
    return click.Option([flag], type=kind, multiple=option.sort == "cards", default=None, help=text, metavar=metavar)


def rules_options(command: Any) -> Any:
    """Options of everything that is judged: rulings and policy."""
    for each in (
        click.option("--ruling", "rulings", multiple=True, metavar="NAME=SETTING", help="Turn a ruling over."),
        click.option("--policy", multiple=True, metavar="NAME=SETTING", help="How choices are made."),
        click.option("--game", metavar="GAME", help="The game; without it the one that the project plays."),
    ):
        command = each(command)
    return command


def cards_and_rules_options(command: Any) -> Any:
    """Options of what is judged of cards by name."""
    path = click.Path(path_type=Path)
    files = click.option("--cards", "paths", multiple=True, type=path, help="Card files instead of the project's.")
    return files(rules_options(command))


def run_options(command: Any) -> Any:
    """Options for how something is judged: rolled, worked out or asked."""
    for each in (
        click.option("--odds", "reading", flag_value="odds", help="The exact table instead of a roll."),
        click.option("--ask", "reading", flag_value="ask", help="Type what real dice show."),
        click.option("--seed", metavar="TEXT", help="Roll the dice of this seed."),
        click.option(
            "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the transcript here."
        ),
        click.option(
            "--format", "form", type=click.Choice(("text", "json", "csv")), default="text", help="Of the odds."
        ),
        click.option(
            "--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw the odds: FILE.svg or .png."
        ),
    ):
        command = each(command)
    return command


def given_values(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a situation that were given."""
    return {name: value for name, value in values.items() if value not in (None, ())}


def run_trial(
    trial: str, values: dict[str, Any], terms: tuple[Any, ...], options: dict[str, Any], default_mode: str = "roll"
) -> None:
    """Hand a command's values on; `usual` is how it is judged unless an option says otherwise."""
    from cardgen.pipeline.referee import run
    from cardgen.pipeline.referee.setup import TrialRequest

    mode = options.pop("reading", None) or default_mode
    run_settings = run.RunOptions(mode, *(options.pop(name) for name in ("seed", "output", "form", "plot")))
    game = options.pop("game", None)
    rulings, policy, paths = terms
    request = TrialRequest(trial, given_values({**values, **options}), rulings, policy, paths, game)
    if mode == "duel":
        run.run_duel(request, run_settings, click.echo)
    else:
        run.run_trial(request, run_settings, prompt, click.echo)


def prompt(text: str) -> str:
    """Show a text and return the line that is typed. Raises click.Abort at the end of the input."""
    typed: str = click.prompt(text, prompt_suffix="\n> ", default="", show_default=False)
    return typed
