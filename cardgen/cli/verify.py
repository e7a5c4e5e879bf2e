"""`cardgen verify`: verifies a transcript."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from cardgen.cli._output import json_option, print_json, print_line


@click.command("verify")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="NAME=SETTING",
    help="Replay the transcript with this ruling instead of verifying it.",
)
@json_option
def command(transcript: Path, rulings: tuple[str, ...], as_json: bool) -> None:
    """Verify a TRANSCRIPT: recompute every die, modifier, and option.

    Prints VALID, or the first wrong line.
    """
    from cardgen.matches import trials  # loaded here to keep 'cardgen --help' fast

    trials.report_verification(transcript, rulings, print_line, partial(print_json, "verify") if as_json else None)
