"""Options that commands share: those of builds and trials, from their declarations, and those of written files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise, zip_longest
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cardgen.cli._group import CARD, complete_names, name_variables, written_option
from cardgen.cli._output import json_option, json_text, print_data, print_json, print_line, prompt, remember_json_format
from cardgen.diagnostic import closest, escape_controls
from cardgen.options import FLAG, OPTIONS, WORDS, Option, mistakes
from cardgen.runtime.regular_file import DASH
from cardgen.units import quantity

if TYPE_CHECKING:
    from cardgen.print.build_manifest import DiscardedCard, SkippedCard, UnprintedCard
    from cardgen.runtime.workspace import Link, Workspace


Decorator = Callable[[Any], Any]


def _start_in_project(context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Use the project of the named files and folders instead of that of the current folder, if it is another one."""
    start_in_project_of(require_no_values(context, parameter, paths))
    return paths


def require_no_values(context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return paths. Raises UsageError for one that is probably another value of an option that can be repeated."""
    options = [each for each in context.command.params if isinstance(each, click.Option) and each.multiple]
    given = [each for each in options if context.get_parameter_source(str(each.name)) is ParameterSource.COMMANDLINE]
    for path in paths if given and isinstance(parameter, click.Argument) else ():
        is_file = len(path.parts) > 1 or path.suffix or path.exists() or path == Path(DASH)
        if not is_file and not closest(path.name, os.listdir()):  # noqa: PTH208 - only names are needed
            names = " or ".join(max(each.opts, key=len) for each in given)
            raise click.UsageError(f"no such file or folder '{path}'; if it is a value, repeat {names} before it")
    return paths


_START = "cardgen.start"


def start_folder() -> Path | None:
    """Return the folder of the project of the named files, or None for that of the current folder."""
    context = click.get_current_context(silent=True)
    return context.meta.get(_START) if context else None


def workspace(language: Sequence[str] = (), cluster: Link | None = None) -> Workspace:
    """Return the workspace of the project of the named files, or else of the current folder, in a language."""
    from cardgen.runtime.workspace import Workspace

    if not language:
        return Workspace(start_folder(), cluster=cluster)
    from cardgen.print.request import require_one_language  # loaded here because few runs name a language

    return Workspace(start_folder(), cluster=cluster, language=require_one_language(language))


@contextmanager
def open_cluster(address: str | None, jobs: int | None) -> Iterator[Link | None]:
    """Connect to a cluster, if there is an address; notes go to standard error."""
    if address is None:
        yield None
        return
    from cardgen.print.request import BuildRequest  # loaded here to keep 'cardgen --help' fast
    from cardgen.runtime.cluster import pool

    def note(text: str) -> None:
        print_line(f"note: {text}", err=True)

    with pool.open_cluster(address, BuildRequest(jobs=jobs).processes, note) as link:
        yield link


def start_in_project_of(paths: Iterable[Path]) -> None:
    """Use the project of these files and folders, if they have one. Raises UsageError if they have several."""
    from cardgen.runtime.fingerprint import settings_folders

    roots = settings_folders(path for path in paths if path != Path(DASH))
    if len(roots) > 1:
        names = " and ".join(sorted(map(str, roots)))
        raise click.UsageError(
            f"the paths belong to {len(roots)} projects: {names}; pass the paths of one project at a time"
        )
    if roots:
        click.get_current_context().meta[_START] = roots.pop()


paths_argument: Decorator = click.argument(
    "paths", nargs=-1, type=click.Path(path_type=Path), callback=_start_in_project
)

cards_option: Decorator = click.option(
    "--cards",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    callback=_start_in_project,
    help="Card files to use instead of the project's.",
)

output_option: Decorator = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="Folder for the files.",
)


def formats_option(help: str) -> Decorator:  # noqa: A002 - the name that click uses
    """Return the option for output formats; `split_formats` splits its values."""
    return click.option(
        "--format",
        "formats",
        multiple=True,
        default=("pdf",),
        show_default=True,
        metavar="FORMAT[,FORMAT]",
        help=help,
    )


def split_formats(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split the values of the option at commas."""
    return tuple(name.strip() for text in values for name in text.split(","))


_SUFFIXES = {"text": ".txt", "markdown": ".md"}


def format_of_file(output: Path | None, formats: Sequence[str]) -> str:
    """Return the one of some formats that the suffix of a file names, or text without a suffix.

    Raises click.UsageError for any other suffix.
    """
    by_suffix = {_SUFFIXES.get(form, f".{form}"): form for form in formats}
    suffix = output.suffix.lower() if output else ""
    if suffix and suffix not in by_suffix:
        message = f"--output: unknown format '{suffix}' (one of {', '.join(by_suffix)})"
        raise click.UsageError(f"{message}; end the name of the file in one of these, or use --format")
    return by_suffix.get(suffix, "text")


def print_or_write(parts: Iterable[str], path: Path | None) -> None:
    """Print a report, or write it to a file and print its path."""
    if path is None or path == DASH:
        for part in parts:
            print_data(part)
        return
    from cardgen.runtime import atomic_write  # loaded here because most commands write no reports

    atomic_write.write(path, "".join(parts).encode())
    print_line(path.as_posix())


def print_unprinted(cards: Iterable[UnprintedCard]) -> None:
    """Print the cards that changed and are not printed, with what prints them, if there are any."""
    cards = tuple(cards)
    if not cards:
        return
    print_line("changed, but not printed:")
    for card in cards:
        print_line(f"  {card.name} ({card.kind} {card.id}): {', '.join(card.changes)}")
    # renamed cards belong to the words
    classes = {"words" if each == "renamed" else each for card in cards for each in card.changes}
    print_line(f"  --changes {','.join(each for each in OPTIONS['changes'].words if each in classes)} prints them")


def print_discarded(cards: Iterable[DiscardedCard]) -> None:
    """Print the old cards to throw away, if there are any."""
    for number, card in enumerate(cards):
        if not number:
            print_line("throw away:")
        print_line(f"  {card.copies} × {card.name} ({card.kind} {card.id})")


def print_problems(cards: Iterable[SkippedCard]) -> None:
    """Print why cards were left out, to standard error, each reason once."""
    from cardgen.print.build_manifest import problem_lines

    for _, problem in problem_lines(cards):
        print_line(problem, err=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print notes, to standard error."""
    for note in notes:
        print_line(f"note: {note}", err=True)


# More cards of one kind are on one line.
_MOST_LINES = 9


def print_left_out(cards: Iterable[SkippedCard]) -> None:
    """Print the cards that were left out, if there are any; many of one kind on one line."""
    by_kind: dict[str, list[SkippedCard]] = {}
    for card in cards:
        by_kind.setdefault((card.kind or "unknown kind") if card.name else "", []).append(card)
    if by_kind:
        print_line("left out:")
    for kind, alike in by_kind.items():
        if kind and len(alike) > _MOST_LINES:
            print_line(f"  {quantity(len(alike), 'card')} of the kind {kind}: {', '.join(card.name for card in alike)}")
        else:
            for card in alike:
                print_line(f"  {card.name} ({kind} {card.id})" if kind else f"  {card.place}")


class WholeNumber(click.IntRange):
    """Whole numbers in a range."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return the metavar of an option; arguments have their names."""
        return "N" if isinstance(param, click.Option) else None


class Number(click.FloatRange):
    """Numbers in a range; without those that cannot be compared, as 'nan'."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail."""
        number: float = super().convert(value, param, ctx)
        return self.fail(f"{value!r} is not a valid {self.name}.", param, ctx) if isnan(number) else number


def build_option(name: str, command: str = "build") -> Decorator:
    """Return the option of a name, with its help in a command."""
    return _click_option(OPTIONS[name], command)


def build_options(command: str) -> Decorator:
    """Return all options of builds that a command has."""
    options = [_click_option(option, command) for option in OPTIONS.values() if getattr(option, command)]

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _click_option(option: Option, command: str) -> Decorator:
    flags = [*(option.flags or (_written_flag(option),)), option.name]
    default = None if option.of_profile and command == "export" else option.default
    given: dict[str, Any] = {"help": getattr(option, command), "metavar": option.metavar or None}
    if option.sort == FLAG:
        given = {"is_flag": True, "help": given["help"], "callback": _negated if default else None}
        return click.option(*flags, **given, **({"default": None} if default is None else {}))
    if option.sort == WORDS:
        given |= {"multiple": True, "callback": _split_words if option.words or "," in option.metavar else None}
    decorator = click.option(
        *flags,
        **given,
        type=WholeNumber(*option.limits) if option.limits else None,
        default=default or None,
        show_default=bool(default),
    )
    if option.former and command == "build":
        former = click.option(
            option.former, option.name, flag_value=option.bare, hidden=True, callback=partial(_rename, option)
        )
        return lambda function: decorator(former(function))
    if not option.shorthand:
        return decorator
    flag, value = option.shorthand
    shorthand = click.option(flag, option.name, flag_value=value, help=f"The same as {option.flag} {value}.")
    return lambda function: decorator(shorthand(function))


class BareOptions(click.Command):
    """A command with options that have a value even if none follows them; a path there is none."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give the options that are followed by something else their values."""
        bare = {option.flag: option for option in OPTIONS.values() if option.bare}
        whole = (
            f"{arg}={bare[arg].bare}" if arg in bare and after not in bare[arg].words else arg
            for arg, after in zip_longest(args, args[1:])
        )
        return super().parse_args(ctx, list(whole))


def _rename(option: Option, context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Say what a switch of earlier versions is now, if it is used."""
    if value is not None and parameter.name not in context.params:
        print_line(f"note: {option.former} is now {option.flag}: {option.build}", err=True)
    return value


def _written_flag(option: Option) -> str:
    """Return the names of an option: switches that override a setting can be turned on and off."""
    is_either = option.sort == FLAG and option.default is None
    return f"{option.flag}/{option.flag.replace('--', '--no-')}" if is_either else option.flag


def _negated(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    return not value


def _split_words(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """Split the values of an option at commas; without any, return its default."""
    option = OPTIONS[str(parameter.name)]
    words = tuple(name for name in split_formats(values) if name or not option.words)
    return words or option.default


def require_compatible(values: Mapping[str, Any]) -> None:
    """Raise UsageError for options that do not go together, and for words that are unknown."""
    mistake = next(mistakes(values, lambda name: written_option(OPTIONS[name].flag)), None)
    if mistake:
        raise click.UsageError(mistake.message)


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
    """Return the value of --game or its variable, or else the game of --cards, or None for that of the project."""
    values = [arg for option, arg in pairwise(args) if option == "--cards"]
    values += [arg.removeprefix("--cards=") for arg in args if arg.startswith("--cards=")]
    start_in_project_of(map(Path, values))
    for index, arg in enumerate(args):
        if arg.startswith("--game="):
            return arg.removeprefix("--game=")
        if arg == "--game" and index + 1 < len(args):
            return args[index + 1]
    variable = os.environ.get(f"{context.command_path} game".upper().replace(" ", "_"))
    if variable or not values or context.resilient_parsing:
        return variable
    from cardgen.deck.deck import game_of  # loaded here to keep 'cardgen --help' fast
    from cardgen.project.project import Project

    return game_of(Project.open(workspace()), None, [Path(value) for value in values]).id


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
    if option.sort == "number" and option.unit:
        # Insert a unit after the first phrase: 'Distance in cm (…).'
        phrase = re.split(r"[;,.(]|$", option.help, maxsplit=1)[0].rstrip()
        text = f"{phrase} in {option.unit}{option.help.removeprefix(phrase)}"
    else:
        text = option.help
    metavar = CARD if option.sort in ("card", "cards") else None
    return click.Option([flag], type=kind, multiple=option.sort == "cards", default=None, help=text, metavar=metavar)


def argument_type(option: Any) -> WholeNumber | None:
    """Return the type of an argument for a parameter: a number in its range, or text."""
    return WholeNumber(option.low, option.high) if option.sort == "number" else None


def rules_options(command: Any) -> Any:
    """Add the options for rulings, policy, and game."""
    for each in (
        click.option(
            "--ruling", "rulings", multiple=True, metavar="NAME=SETTING", help="Override a ruling for this run."
        ),
        click.option("--policy", multiple=True, metavar="NAME=SETTING", help="Set how choices are made in this run."),
        click.option("--game", metavar="GAME", help="Game (default: the cards' or the project's)."),
    ):
        command = each(command)
    return command


def cards_and_rules_options(command: Any) -> Any:
    """Add the options of commands that look up cards by name."""
    return cards_option(rules_options(command))


def format_option(formats: Sequence[str], text: str) -> Callable[[Any], Any]:
    """Return the option for the format of a result, by default that of its file; `text` is its help."""
    text = f"{text}  [default: from the file's name, else text]"
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
        format_option(_FORMATS, "Output format; json also works for a single roll."),
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
    game = options.pop("game", None) or click.get_current_context().meta.get(GAME_KEY)
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
