"""`cardgen calibrate`: measures a printer and stores its profile."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from cardgen.diagnostic import CardgenError

_ASK = "ask"
_QUESTIONS = (
    ("top", "the scale at the top", "0"),
    ("bottom", "the scale at the bottom", "0"),
    ("left", "the scale at the left", "0"),
    ("right", "the scale at the right", "0"),
    ("across", "length of the level rule, in mm", "100"),
    ("along", "length of the upright rule, in mm", "100"),
)


@click.command("calibrate")
@click.option("--printer", metavar="NAME[/TRAY]", help="What to call the printer, and the tray if that matters.")
@click.option("--paper", help="The paper in it: a4, letter, … or for instance '210mm x 297mm'.")
@click.option("--backs", metavar="EDGE", help="long-edge or short-edge: how the printer turns the paper over.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="Folder that the sheet goes to.",
)
@click.option(
    "--read",
    is_flag=False,
    flag_value=_ASK,
    metavar="[READINGS]",
    help="Keep what was read from the printed sheet: asks for it, or takes 'top=0.25 left=-0.5 across=99.8'.",
)
@click.option("--proof", is_flag=True, help="Write the sheet with the profile applied: now all scales should read 0.")
@click.option("--list", "listed", is_flag=True, help="What was measured so far.")
def command(
    printer: str | None,
    paper: str | None,
    backs: str | None,
    output: Path,
    read: str | None,
    proof: bool,
    listed: bool,
) -> None:
    """Measure a printer, so that backs lie behind their fronts and a millimetre is a millimetre.

    Without --read a calibration sheet is written: print it on both sides and hold it against the light. What is read
    from it is kept in your configuration folder, and used whenever cards are built for this printer and paper.
    """
    from cardgen.pipeline import calibrate  # loaded here, so that 'cardgen --help' stays quick

    if sum((read is not None, proof, listed)) > 1:
        raise click.UsageError("--read, --proof and --list exclude each other")
    if listed:
        rows = list(calibrate.list_profiles())
        for row in rows:
            click.echo("  ".join(row))
        if not rows:
            click.echo("no printer was measured yet")
        return
    target = calibrate.calibration_target(printer, paper, backs)
    if read is None:
        click.echo(calibrate.write_sheet(target, output, proof=proof).as_posix())
        click.echo(f"print it at 100 %, on both sides, and read it against the light; then: {target.command}")
        return
    path, profile = calibrate.store_profile(target, calibrate.parse_readings(_ask_readings() if read == _ASK else read))
    click.echo(f"{target.title}: {calibrate.describe_profile(profile)}")
    prove = target.command.replace("--read", "--proof")
    click.echo(f"kept in {path}; a sheet to prove it: {prove}")


def _ask_readings() -> str:
    """The readings, one question each."""
    click.echo("Hold the sheet against the light, the side with the words towards you. In millimetres:")
    answers = [
        (name, click.prompt(question, default=default, value_proc=partial(_parse_answer, name)))
        for name, question, default in _QUESTIONS
    ]
    return " ".join(f"{name}={answer}" for name, answer in answers)


def _parse_answer(name: str, answer: str) -> float:
    """The number that was typed; what cannot be is asked for again."""
    from cardgen.pipeline import calibrate

    try:
        return calibrate.parse_reading(name, answer.strip().replace(",", "."))
    except CardgenError as error:
        raise click.UsageError(error.diagnostics[0].message) from None
