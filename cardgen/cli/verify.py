"""`cardgen verify`: verifies a transcript."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("verify")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="NAME=SETTING",
    help="Replay the transcript with this ruling instead of verifying it.",
)
def command(transcript: Path, rulings: tuple[str, ...]) -> None:
    """Verify a TRANSCRIPT: recompute every die, modifier, and option.

    Prints VALID, or the first wrong line.
    """
    from cardgen.pipeline.referee import run  # loaded here to keep 'cardgen --help' fast

    run.report_verification(transcript, rulings, click.echo)
