"""Command line: start-up, exit codes, and lazily imported commands."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from cardgen import __version__
from cardgen.cli._failures import EXIT_FINDINGS, report_failure
from cardgen.cli._stderr import show_errors
from cardgen.cli._streams import discard_output, prepare_streams
from cardgen.diagnostic import CardgenError

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


EXIT_USAGE, EXIT_INTERRUPTED = 2, 130
_COMMANDS_FOLDER = Path(__file__).parent


class _CommandGroup(click.Group):
    """Finds a command in the module of its name in this folder."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(path.stem.removesuffix("_") for path in _COMMANDS_FOLDER.glob("[a-z]*.py"))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        for stem in (name, f"{name}_") if name.isalpha() and name.islower() else ():
            if (_COMMANDS_FOLDER / f"{stem}.py").is_file():
                command: click.Command = import_module(f"cardgen.cli.{stem}").command
                return command
        return None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the options; a reader that closes the pipe of a help text has seen enough."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def invoke(self, context: click.Context) -> object:
        """Run a command, and show its errors."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None
        except CardgenError as error:
            show_errors(error)
            raise click.exceptions.Exit(EXIT_USAGE if error.is_usage_error else EXIT_FINDINGS) from None


@click.group(cls=_CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="cardgen", message="%(prog)s %(version)s")
def commands() -> None:
    """Turn YAML into printable cards for tabletop skirmish games."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    The codes are 0 for success, 1 for findings and problems of files, 2 for usage errors, 3 for faults of cardgen, and
    130 for an interruption. A reader that closes the pipe of the output ends the command without an error.
    """
    try:
        result = commands.main(args=arguments, prog_name="cardgen", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted; existing files are unchanged", err=True)
        return EXIT_INTERRUPTED
    except SystemExit as end:  # of a completion script
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        return report_failure(error, sys.argv[1:] if arguments is None else arguments)
    return result if isinstance(result, int) else 0


def main() -> None:
    """Run the program: the entry point."""
    skip_plugin_search()
    prepare_streams()
    try:
        code = run()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = 0
        discard_output()
    except OSError:  # Not even the error could be written.
        code = EXIT_FINDINGS
        discard_output()
    gc.freeze()  # The process ends and frees everything, so a last collection is a waste.
    sys.exit(code)
