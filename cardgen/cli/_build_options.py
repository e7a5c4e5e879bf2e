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
