"""JSON output of commands, for programs.

Each result is an object with the version of its shape, the name of the command, and the keys that docs/json.md lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cardgen.cli._terminal import print_data, print_line, print_styled
from cardgen.diagnostic import CardgenError, Diagnostic, Place, format_group, group_alike
from cardgen.units import quantity

VERSION = 1
_WANTED, _OFFERED = "cardgen.json", "cardgen.json-option"


def _remember(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    context.meta[_OFFERED] = True
    if value:
        context.meta[_WANTED] = True
    return value


def json_option(command: Any) -> Any:
    """Add the option for output as JSON."""
    option = click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=_remember, help="Print the result as JSON."
    )
    return option(command)


def remember_json_format(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Note that a report was requested as JSON; a callback for options that name its format."""
    if value == "json":
        context.meta[_WANTED] = True
    return value


def offers_json(context: click.Context) -> bool:
    """Return whether the command can print JSON, in which all problems are listed."""
    return bool(context.meta.get(_OFFERED))


def wants_json(context: click.Context) -> bool:
    """Return whether the command prints JSON, and so also its errors."""
    return bool(context.meta.get(_WANTED))


def print_json(command: str, content: Mapping[str, object]) -> None:
    """Print the result of a command."""
    print_data(json_text(command, content))


def json_text(command: str, content: Mapping[str, object]) -> str:
    """Return the result of a command as JSON."""
    from cardgen.runtime.escapes import dump_json

    return dump_json({"version": VERSION, "command": command, **content}, default=_plain)


def _plain(value: Any) -> str:
    """Return a path with forward slashes, and a fraction as text."""
    return str(value.as_posix() if hasattr(value, "as_posix") else value)


def print_errors(command: str, error: CardgenError) -> None:
    """Print the problems that ended a command."""
    print_json(command, {"errors": [_problem(each) for each in error.diagnostics]})


def _problem(each: Diagnostic) -> dict[str, object]:
    related = [{"message": label, **_place(place)} for place, label in each.related]
    return {
        "code": each.code,
        "severity": each.severity.value,
        "message": each.message,
        "help": each.help,
        **_place(each.place),
        "related": related,
    }


def _place(place: Place) -> dict[str, object]:
    """Return a file with lines and columns, or the name of an option."""
    if place.is_argument:
        return {"argument": place.file}
    locator = {"locator": place.locator} if place.locator else {}
    return {"file": place.file, **(place.span._asdict() if place.span else {}), **locator}


def show_errors(error: CardgenError, context: click.Context) -> None:
    """Show the diagnostics with their source lines, those that are alike once, then their number."""
    groups = group_alike(error.diagnostics, lambda each: each)
    lists_all = "--json" if offers_json(context) else ""
    for group in groups:
        print_styled(format_group(group.finding, group, color=True, lists_all=lists_all) + "\n\n", err=True)
    count = quantity(len(groups), "problem")
    places = f" (in {len(error.diagnostics):,} places)" if len(groups) < len(error.diagnostics) else ""
    print_line(f"{count}{places}; nothing was written", err=True)
