from __future__ import annotations

import click
import pytest

from cardgen.cli import commands, run


def test_every_command_is_found_and_says_what_it_does() -> None:
    context = click.Context(commands)
    names = commands.list_commands(context)
    assert {"build", "check", "list", "new", "show"} <= set(names)
    for name in names:
        command = commands.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.help


@pytest.mark.parametrize("name", ["bild", "../units", "list_", "_progress", "__init__", ""])
def test_what_is_no_command_is_wrong_usage(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name]) == 2
    assert f"unknown command '{name}'" in capsys.readouterr().err
