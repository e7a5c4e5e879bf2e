"""The options of builds and exports on the command line, made from their declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from cardgen.cli._file_options import WholeNumber, split_formats
from cardgen.cli._group import written_option
from cardgen.options import FLAG, OPTIONS, WORDS, Option, mistakes

Decorator = Callable[[Any], Any]


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
    flags = [*(option.flags or (option.flag,)), option.name]
    default = None if option.of_profile and command == "export" else option.default
    given: dict[str, Any] = {"help": getattr(option, command), "metavar": option.metavar or None}
    if option.sort == FLAG:
        return click.option(*flags, is_flag=True, callback=_negated if default else None, help=given["help"])
    if option.sort == WORDS:
        given |= {"multiple": True, "callback": _split_words if option.words or "," in option.metavar else None}
    return click.option(
        *flags,
        **given,
        type=WholeNumber(*option.limits) if option.limits else None,
        default=default or None,
        show_default=bool(default),
    )


def _negated(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    return not value


def _split_words(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split the values of an option at commas."""
    return tuple(name for name in split_formats(values) if name or not OPTIONS[str(parameter.name)].words)


def require_compatible(values: Mapping[str, Any]) -> None:
    """Raise UsageError for options that do not go together, and for words that are unknown."""
    mistake = next(mistakes(values, lambda name: written_option(OPTIONS[name].flag)), None)
    if mistake:
        raise click.UsageError(mistake.message)
