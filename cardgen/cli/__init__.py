"""Command line: start-up, exit codes, and lazily imported commands."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from cardgen import __version__
from cardgen.cli._stderr import show_errors
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


EXIT_FINDINGS, EXIT_INTERNAL_ERROR, EXIT_INTERRUPTED = 1, 3, 130
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


@click.group(cls=_CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="cardgen", message="%(prog)s %(version)s")
def commands() -> None:
    """Turn YAML into printable cards for tabletop skirmish games."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    The codes are 0 for success, 1 for findings, 2 for usage errors, and 130 for an interruption.
    """
    try:
        result = commands.main(args=arguments, prog_name="cardgen", standalone_mode=False)
    except CardgenError as error:
        show_errors(error)
        return EXIT_FINDINGS
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted; existing files are unchanged", err=True)
        return EXIT_INTERRUPTED
    return result if isinstance(result, int) else 0


def _make_output_writable() -> None:
    """Let output streams accept every character; what they cannot encode is escaped.

    Windows gives pipes a code page that lacks most characters, so output to a pipe is UTF-8 unless the user chose an
    encoding.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_pipe = sys.platform == "win32" and not stream.isatty() and "PYTHONIOENCODING" not in os.environ
            stream.reconfigure(encoding="utf-8" if is_pipe else None, errors="backslashreplace")


def main() -> None:
    """Run the program: the entry point."""
    skip_plugin_search()
    _make_output_writable()
    code = run()
    gc.freeze()  # The process ends and frees everything, so a last collection is a waste.
    sys.exit(code)
