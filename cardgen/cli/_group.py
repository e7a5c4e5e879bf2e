"""The group of all commands: their order in help, suggestions, shared options, completion of names, and errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from cardgen.cli._output import print_errors, print_line, show_errors, wants_json
from cardgen.diagnostic import CardgenError, Diagnostic, escape_lines

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


Parameters = TypeVar("Parameters", bound=Iterable[click.Parameter])

CARD = "CARD"
# What options and arguments name; see the lists of cardgen.cli._completion_names.
_SORTS = {
    **dict.fromkeys(("a", "attacker", "b", "card", "name", "names", "of", "target", "warband"), ("card",)),
    "weapon_and_target": ("card",),
    "only": ("kind", "card"),
    "what": ("scaffold", "kind"),
    "kinds": ("kind",),
    **dict.fromkeys(("explain", "ignore", "select"), ("check",)),
    **dict.fromkeys(("game", "layout", "paper", "printer", "sprue", "theme"), ()),
    "rulings": ("ruling",),
    "sheets": ("sheet",),
}


class _Name(click.types.StringParamType):
    """Text that names things of some sorts."""

    def __init__(self, *sorts: str) -> None:
        self._sorts = sorts

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin like the last word of a list separated by commas, ignoring case."""
        from click.shell_completion import CompletionItem

        from cardgen.cli._completion_names import names

        before, comma, word = incomplete.rpartition(",")
        found = (name for name in names(*self._sorts) if name.casefold().startswith(word.casefold()))
        return [CompletionItem(f"{before}{comma}{name}") for name in found]


def complete_names(parameters: Parameters) -> Parameters:
    """Let a shell complete the values of parameters that name something, and return the parameters."""
    for each in parameters:
        if type(each.type) is not click.types.StringParamType:
            continue
        sorts = ("card",) if each.metavar == CARD else _SORTS.get(each.name or "")
        if sorts is not None:
            each.type = _Name(*(sorts or (each.name or "",)))
    return parameters


EXIT_FINDINGS, EXIT_USAGE = 1, 2
_COMMANDS_FOLDER = Path(__file__).parent
# The sections of the help text, with their commands in order of use.
SECTIONS = {
    "Cards": ("new", "studio", "list", "show", "check", "explain", "fix", "table", "translate", "schema"),
    "Releases": ("release", "diff"),
    "Print": ("build", "export", "preflight", "proof", "reference", "calibrate"),
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
        from cardgen.diagnostic import start_log

        start_log(lambda line: print_line(line, err=True))


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

    def fail(self, message: str) -> NoReturn:
        """Raise a usage error, with advice if an argument too many may be the rest of a name."""
        arguments = [each for each in self.command.params if isinstance(each, click.Argument)]
        names = [each for each in arguments if _SORTS.get(each.name or "") == ("card",)]
        if message.startswith("Got unexpected extra argument") and names:
            last = self.params.get(arguments[-1].name or "")
            example = f': "{last} {message[message.index("(") + 1 : -1]}"' if names == arguments[-1:] else ""
            message += f"; put a name with spaces in quotes{example}"
        super().fail(message)


class SuggestingGroup(click.Group):
    """A group that suggests a command for an unknown one; `noun` is what its commands are."""

    context_class = SafeContext
    noun = "command"

    def refusal(self, ctx: click.Context, name: str) -> str:
        """Return what to say of an unknown command."""
        from cardgen.diagnostic import did_you_mean

        names = self.list_commands(ctx)
        listed = f"; available: {', '.join(names)}" if self.noun != "command" else ""
        return f"unknown {self.noun} '{name}'{did_you_mean(name, names) or listed}"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            ctx.fail(self.refusal(ctx, name))
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
        """Run a command, and show its errors."""
        try:
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


_ARGUMENTS = "cardgen.arguments"


def remember_arguments(context: click.Context, arguments: Sequence[str]) -> None:
    """Store the arguments of the whole command line, for `written_option`."""
    context.meta[_ARGUMENTS] = tuple(arguments)


def written_option(option: str, context: click.Context | None = None) -> str:
    """Return the name with which the user gave an option: '--pack' for '--warband', if that is what they wrote."""
    context = context or click.get_current_context()
    arguments: tuple[str, ...] = context.meta.get(_ARGUMENTS, ())
    found = [each.opts for command in _commands(context.find_root(), arguments) for each in command.params]
    found = [names for names in found if option in names]
    for names in found:
        for name in names:  # short ones, such as '-o', are named in full
            if name.startswith("--") and any(argument.partition("=")[0] == name for argument in arguments):
                return name
    return option if found or option != "--only" else CARD


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


_PLUGIN_LOADER = "pydantic.plugin._loader"


class _NoPluginSearch(ModuleType):
    """Replaces the plugin loader of pydantic, and finds no plugins."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        """Return no plugins."""
        return ()

    def __getattr__(self, name: str) -> Any:
        """Load the real module for any other attribute."""
        if name.startswith("__"):  # The import system looks these up on every module.
            raise AttributeError(name)
        sys.modules.pop(_PLUGIN_LOADER, None)
        return getattr(import_module(_PLUGIN_LOADER), name)


def skip_plugin_search() -> None:
    """Turn off the plugin search of pydantic, unless the user enabled it."""
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") == "__all__":
        sys.modules.setdefault(_PLUGIN_LOADER, _NoPluginSearch(_PLUGIN_LOADER))


def name_variables(path: str, parameters: Parameters) -> Parameters:
    """Give each option the variable of its name below a command, such as 'cardgen build'; return the parameters.

    Click would use the names in the program, which differ from those of the options.
    """
    for each in parameters:
        if isinstance(each, click.Option) and each.name not in ("help", "version"):
            flag = max(each.opts, key=len).lstrip("-")
            each.envvar = f"{path} {flag}".upper().replace(" ", "_").replace("-", "_")
    return parameters
