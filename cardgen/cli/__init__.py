"""Command line: start-up, exit codes, and lazily imported commands."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

import click

from cardgen import __version__
from cardgen.cli._failures import EXIT_FINDINGS, report_failure
from cardgen.cli._group import CommandGroup, shared_options, skip_plugin_search
from cardgen.cli._output import discard_output, prepare_streams, print_line, show_usage_error
from cardgen.runtime.processes import collect_rarely, protect_children

EXIT_INTERRUPTED = 130
_SETTINGS = {"help_option_names": ["-h", "--help"]}
_EPILOG = "The options --color and --verbose may also follow the command."


@click.group(
    cls=CommandGroup, context_settings=_SETTINGS, epilog=_EPILOG, params=shared_options("cardgen", hidden=False)
)
@click.version_option(__version__, "-V", "--version", prog_name="cardgen", message="%(prog)s %(version)s")
def commands() -> None:
    """Turn YAML into printable cards for tabletop skirmish games."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    The codes are 0 for success, 1 for findings and problems of files, 2 for usage errors, 3 for faults of cardgen, 4
    for a build that left out cards with mistakes, and 130 for an interruption. A reader that closes the pipe of the
    output ends the command without an error.
    """
    try:
        result = commands.main(args=arguments, prog_name="cardgen", standalone_mode=False)
    except click.ClickException as error:
        show_usage_error(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        # At the end of its input, a prompt aborts without a cause. Any other early end of a file does not interrupt.
        if isinstance(error.__cause__, EOFError):
            return report_failure(error.__cause__, sys.argv[1:] if arguments is None else arguments)
        print_line("interrupted; existing files are unchanged", mark="\n", err=True)
        return EXIT_INTERRUPTED
    except SystemExit as end:  # of a completion script
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        return report_failure(error, sys.argv[1:] if arguments is None else arguments)
    return result if isinstance(result, int) else 0


def main() -> None:
    """Run the program: the entry point."""
    protect_children()
    collect_rarely()
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
