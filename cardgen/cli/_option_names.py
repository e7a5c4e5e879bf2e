"""Names of options, as the user wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import click

from cardgen.diagnostic import CardgenError, Diagnostic

_ARGUMENTS = "cardgen.arguments"


def remember_arguments(context: click.Context, arguments: Sequence[str]) -> None:
    """Store the arguments of the whole command line, for `written_option`."""
    context.meta[_ARGUMENTS] = tuple(arguments)


def written_option(option: str, context: click.Context | None = None) -> str:
    """Return the name with which the user gave an option: '--pack' for '--warband', if that is what they wrote."""
    context = context or click.get_current_context()
    arguments: tuple[str, ...] = context.meta.get(_ARGUMENTS, ())
    for command in _commands(context.find_root(), arguments):
        names = next((parameter.opts for parameter in command.params if option in parameter.opts), [])
        for name in names:  # short ones, such as '-o', are named in full
            if name.startswith("--") and any(argument.partition("=")[0] == name for argument in arguments):
                return name
    return option


def with_written_options(error: CardgenError, context: click.Context) -> CardgenError:
    """Return an error whose places are options as the user wrote them."""
    return CardgenError(
        *(_with_written_option(each, context) if each.place.is_argument else each for each in error.diagnostics)
    )


def _with_written_option(diagnostic: Diagnostic, context: click.Context) -> Diagnostic:
    """Return the diagnostic of an argument with the name that the user wrote."""
    place = diagnostic.place
    return diagnostic._replace(place=place._replace(file=written_option(place.file, context)))


def _commands(context: click.Context, arguments: Sequence[str]) -> Iterator[click.Command]:
    """Yield the commands of a command line: the group, its command, and what is below it.

    Those of a game that cannot be used are left out.
    """
    command: click.Command | None = context.command
    yield context.command
    for argument in arguments:
        lower = None
        with suppress(CardgenError):
            lower = command.get_command(context, argument) if isinstance(command, click.Group) else None
        if lower is not None:
            command = lower
            yield lower
