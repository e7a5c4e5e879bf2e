"""The group of all commands: their order in help, suggestions, shared options, and errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from cardgen.cli._completion import complete_names
from cardgen.cli._json import print_errors, wants_json
from cardgen.cli._option_names import remember_arguments, with_written_options
from cardgen.cli._stderr import show_errors
from cardgen.cli._terminal import print_line
from cardgen.cli._variables import name_variables
from cardgen.diagnostic import CardgenError, escape_lines
from cardgen.sandbox.budget import shared_budget

EXIT_FINDINGS, EXIT_USAGE = 1, 2
_COMMANDS_FOLDER = Path(__file__).parent
# The sections of the help text, with their commands in order of use.
SECTIONS = {
    "Cards": ("new", "studio", "list", "show", "check", "explain", "fix", "table", "schema"),
    "Releases": ("release", "diff"),
    "Print": ("build", "export", "preflight", "reference", "calibrate"),
    "Rules": ("roll", "attack", "test", "duel", "trial", "battle", "balance", "rulings", "verify"),
    "Program": ("lsp", "doctor", "completion"),
}
_COLORS = {"always": True, "never": False}


def set_color(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Turn colors on or off for this command and those above it; None leaves them as they are."""
    if value is None and context.parent is not None:
        return
    color = _COLORS.get(value) if value else _color_of_environment()
    each: click.Context | None = context
    while each is not None:
        each.color = color
        each = each.parent


def _color_of_environment() -> bool | None:
    """Return whether to use colors; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def set_verbose(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Print what the command does to standard error."""
    if value:
        from cardgen.runtime import activity_log

        activity_log.start(lambda line: print_line(line, err=True))


def shared_options(path: str, *, hidden: bool) -> list[click.Parameter]:
    """Return the options that every command takes; they are documented once, in the main help.

    `path` is the command, such as 'cardgen build'.
    """
    options: list[click.Parameter] = [
        click.Option(
            ["--color"],
            type=click.Choice(("auto", "always", "never")),
            callback=set_color,
            expose_value=False,
            is_eager=True,
            hidden=hidden,
            help="When to use colors.  [default: auto; see also NO_COLOR and FORCE_COLOR]",
        ),
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            callback=set_verbose,
            expose_value=False,
            is_eager=True,
            hidden=hidden,
            help="Show which files are read, which results come from a cache, and timings.",
        ),
    ]
    return name_variables(path, options)


class SafeContext(click.Context):
    """A context whose help has escapes for control characters: profiles and games of a project have texts in it."""

    def get_help(self) -> str:
        """Return the help of the command."""
        return escape_lines(super().get_help())


class SuggestingGroup(click.Group):
    """A group that suggests a command for an unknown one."""

    context_class = SafeContext

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            from cardgen.validation.suggestion import did_you_mean

            ctx.fail(f"No such command '{name}'{did_you_mean(name, self.list_commands(ctx))}")
        chosen = super().resolve_command(ctx, args)
        if chosen[1] is not None:
            chosen[1].context_class = SafeContext
        return chosen


class CommandGroup(SuggestingGroup):
    """Finds a command in the module of its name in this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(path.stem.removesuffix("_") for path in _COMMANDS_FOLDER.glob("[a-z]*.py"))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        for stem in (name, f"{name}_") if name.isalpha() and name.islower() else ():
            if (_COMMANDS_FOLDER / f"{stem}.py").is_file():
                command: click.Command = import_module(f"cardgen.cli.{stem}").command
                if not any(option.name == "color" for option in command.params):
                    path = f"cardgen {name}"
                    command.params += shared_options(path, hidden=True)
                    name_variables(path, complete_names(command.params))
                return command
        return None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the options; a reader that closes the pipe of a help text has seen enough."""
        arguments = tuple(args)  # parsing consumes them
        try:
            context = super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None
        remember_arguments(context, arguments)
        return context

    def invoke(self, ctx: click.Context) -> object:
        """Run a command, whose expressions share a budget, and show its errors."""
        try:
            with shared_budget():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None
        except CardgenError as problem:
            error = with_written_options(problem, ctx)
            if wants_json(ctx):
                print_errors(ctx.invoked_subcommand or "", error)
            show_errors(error, ctx)
            raise click.exceptions.Exit(EXIT_USAGE if error.is_usage_error else EXIT_FINDINGS) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections."""
        width = max(map(len, self.list_commands(ctx)))
        for title, names in self._sections(ctx):
            commands = [(name, command) for name in names if (command := self.get_command(ctx, name))]
            with formatter.section(title):
                limit = formatter.width - width - 6
                formatter.write_dl([(f"{name:<{width}}", each.get_short_help_str(limit)) for name, each in commands])

    def _sections(self, ctx: click.Context) -> Iterator[tuple[str, list[str]]]:
        remaining = self.list_commands(ctx)
        for title, names in SECTIONS.items():
            yield title, [name for name in names if name in remaining]
            remaining = [name for name in remaining if name not in names]
        if remaining:
            yield "Other", remaining
