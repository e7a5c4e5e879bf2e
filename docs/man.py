"""Generates manual pages from the help texts of the commands: `make man`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cardgen import __version__
from cardgen.cli import commands

EXIT_CODES = (
    ("0", "Success."),
    ("1", "Findings, or problems of cards, templates, files, or the machine."),
    ("2", "Invalid usage: an unknown command or option, or an invalid value of an option or argument."),
    ("3", "A bug in cardgen."),
    ("130", "Interrupted."),
)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and text of each page: the main one, and one for each command."""
    main = click.Context(commands, info_name="cardgen", **commands.context_settings)
    names = commands.list_commands(main)
    yield "cardgen.1", _page(main, [f"cardgen-{name}" for name in names])
    for name in names:
        command = commands.get_command(main, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=main)
        yield f"cardgen-{name}.1", _page(context, ["cardgen"])


def _page(context: click.Context, related: list[str]) -> str:
    title = context.command_path.replace(" ", "-")
    lines = [f'.TH "{title.upper()}" "1" "" "cardgen {__version__}" "cardgen"', ".SH NAME"]
    lines.append(f"{_escaped(title)} \\- {_escaped(context.command.get_short_help_str(200).rstrip('.'))}")
    lines += [".SH SYNOPSIS", f".B {_escaped(context.command_path)}"]
    lines.append(_escaped(" ".join(context.command.collect_usage_pieces(context))))
    lines += [".SH DESCRIPTION", *_paragraphs(inspect.cleandoc(context.command.help or ""))]
    if isinstance(context.command, click.Group):
        lines += [".SH COMMANDS", *_definitions(_summaries(context, context.command))]
    options = (each for each in context.command.get_params(context) if isinstance(each, click.Option))
    records = [option.get_help_record(context) for option in options]
    lines += [".SH OPTIONS", *_definitions(record for record in records if record)]
    lines += [".SH ENVIRONMENT", *_paragraphs(_variables(context))]
    lines += [".SH EXIT STATUS", *_definitions(EXIT_CODES)]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{_escaped(name)}\\fP(1)" for name in related)]
    return "\n".join(lines) + "\n"


def _summaries(context: click.Context, group: click.Group) -> Iterator[tuple[str, str]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            yield name, command.get_short_help_str(200)


def _variables(context: click.Context) -> str:
    prefix = context.command_path.upper().replace(" ", "_").replace("-", "_")
    return (
        f"Each option can also be set by a variable: its name in upper case, with underscores, after {prefix}_. "
        "An option on the command line has priority.\n\nNO_COLOR turns colors off, and FORCE_COLOR turns them on."
    )


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs; one that starts with a backspace keeps its lines."""
    for number, paragraph in enumerate(text.split("\n\n")):
        yield from [".PP"] if number else []
        if paragraph.startswith("\b"):
            yield from (".nf", *map(_escaped, paragraph.lstrip("\b\n").split("\n")), ".fi")
        else:
            yield _escaped(" ".join(paragraph.split()))


def _definitions(rows: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]) -> Iterator[str]:
    for term, meaning in rows:
        yield from (".TP", f"\\fB{_escaped(term)}\\fP", _escaped(meaning))


def _escaped(text: str) -> str:
    """Return text that roff prints as it is."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    plain = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in plain)
    return f"\\&{plain}" if plain.startswith((".", "\\(aq")) else plain


def write(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
