"""Writes commands.md from the commands themselves: `make docs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from cardgen.cli import commands

PAGE = Path(__file__).parent / "commands.md"


def page() -> str:
    """The whole page: each command with its help, as the terminal shows it."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Commands\n"
    yield "This page is written by `make docs` from what the commands say of themselves.\n"
    context = click.Context(commands, info_name="cardgen", **commands.context_settings)
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None
        yield f"## cardgen {name}\n"
        yield "```text"
        yield command.get_help(click.Context(command, parent=context, info_name=name, max_content_width=88))
        yield "```\n"
    yield "## Exit codes\n"
    yield "| code | meaning |\n|---|---|"
    yield "| 0 | all is well |"
    yield "| 1 | something in the cards, templates or files has to be mended |"
    yield "| 2 | the command was called wrongly |"
    yield "| 3 | a fault of cardgen itself |"
    yield "| 130 | interrupted |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
