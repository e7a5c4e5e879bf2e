"""Options that commands share: those of builds, from their declarations, and those of commands that write files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._group import written_option
from cardgen.cli._output import print_data, print_line
from cardgen.options import FLAG, OPTIONS, WORDS, Option, mistakes
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.print.request import DiscardedCard, UnprintedCard
    from cardgen.runtime.cluster.pool import Link
    from cardgen.runtime.workspace import Workspace


Decorator = Callable[[Any], Any]


def _start_in_project(context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Use the project of the named files and folders instead of that of the current folder, if it is another one."""
    start_in_project_of(paths)
    return paths


_START = "cardgen.start"


def start_folder() -> Path | None:
    """Return the folder of the project of the named files, or None for that of the current folder."""
    context = click.get_current_context(silent=True)
    return context.meta.get(_START) if context else None


def workspace(cluster: Link | None = None) -> Workspace:
    """Return the workspace of the project of the named files, or else of the current folder."""
    from cardgen.runtime.workspace import Workspace

    return Workspace(start_folder(), cluster=cluster)


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
        raise click.UsageError(f"the paths belong to {len(roots)} projects: {names}; name those of one at a time")
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
    if not option.shorthand:
        return decorator
    flag, value = option.shorthand
    shorthand = click.option(flag, option.name, flag_value=value, help=f"The same as {option.flag} {value}.")
    return lambda function: decorator(shorthand(function))


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
