"""`cardgen verify`: verifies a transcript."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("verify")
@click.argument("transcript", type=click.Path(path_type=Path))
@click.option("--ruling", "rulings", multiple=True, metavar="NAME=SETTING", help="Play it again under this ruling.")
def command(transcript: Path, rulings: tuple[str, ...]) -> None:
    """Recompute every die, modifier and option of a TRANSCRIPT.

    Says VALID, or names the first wrong line.
    """
    from cardgen.pipeline.referee import run  # loaded here, so that 'cardgen --help' stays quick

    run.report_verification(transcript, rulings, click.echo)
