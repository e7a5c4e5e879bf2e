"""`cardgen calibrate`: measures a printer and stores its profile."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from cardgen.cli._output import json_option, print_json, print_line
from cardgen.diagnostic import CardgenError

_ASK = "ask"
_QUESTIONS = (
    ("top", "reading of the top scale", "0"),
    ("bottom", "reading of the bottom scale", "0"),
    ("left", "reading of the left scale", "0"),
    ("right", "reading of the right scale", "0"),
    ("across", "length of the horizontal ruler in mm", "100"),
    ("along", "length of the vertical ruler in mm", "100"),
)


@click.command("calibrate")
@click.option("--printer", metavar="NAME[/TRAY]", help="Name of the profile: a printer and, if needed, its tray.")
@click.option("--paper", help="Paper size: a4, letter, …, or a size such as '210mm x 297mm'.")
@click.option("--backs", metavar="EDGE", help="Duplex mode: long-edge or short-edge.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output"),
    show_default=True,
    help="Folder for the sheet.",
)
@click.option(
    "--read",
    is_flag=False,
    flag_value=_ASK,
    metavar="[READINGS]",
    help="Store the readings of the printed sheet. Prompts for them, or takes a list such as 'top=0.25 left=-0.5 "
    "across=99.8'.",
)
@click.option("--proof", is_flag=True, help="Write the sheet with the profile applied; all scales should then read 0.")
@click.option(
    "--stack",
    is_flag=True,
    help="Write a leaf for printers without duplex that tests how fronts are put back into the tray for their backs.",
)
@click.option("--list", "listed", is_flag=True, help="List the stored profiles.")
@json_option
def command(
    printer: str | None,
    paper: str | None,
    backs: str | None,
    output: Path,
    read: str | None,
    proof: bool,
    stack: bool,
    listed: bool,
    as_json: bool,
) -> None:
    """Calibrate a printer for duplex registration and exact size.

    Without --read, this command writes a calibration sheet. Print it on both sides and hold it up to the light. Then
    store the readings with --read. The profile is saved in your configuration folder, and applies to all later builds
    for this printer and paper.
    """
    from cardgen.print import calibrate  # loaded here to keep 'cardgen --help' fast

    if sum((read is not None, proof, stack, listed)) > 1:
        raise click.UsageError("--read, --proof, --stack, and --list cannot be combined")
    if listed:
        rows = list(calibrate.list_profiles())
        if as_json:
            keys = ("printer", "tray", "paper", "profile")
            print_json("calibrate", {"profiles": [dict(zip(keys, row, strict=True)) for row in rows]})
            return
        for row in rows:
            print_line("  ".join(row))
        if not rows:
            print_line("no printer has been calibrated")
        return
    target = calibrate.calibration_target(printer, paper, backs)
    if read is None:
        sheet = (
            calibrate.write_stack_test(target, output) if stack else calibrate.write_sheet(target, output, proof=proof)
        )
        if as_json:
            print_json("calibrate", {"file": sheet})
            return
        print_line(sheet.as_posix())
        if stack:
            print_line(
                "next: print page 1, put the sheet back into the tray, and print page 2; page 1 says what it shows"
            )
            return
        print_line(f"next: print it on both sides at 100%, hold it up to the light, and run: {target.command}")
        return
    path, profile = calibrate.store_profile(target, calibrate.parse_readings(_ask_readings() if read == _ASK else read))
    if as_json:
        print_json("calibrate", {"file": path, "printer": target.name, "profile": profile.model_dump()})
        return
    print_line(f"{target.title}: {calibrate.describe_profile(profile)}")
    prove = target.command.replace("--read", "--proof")
    print_line(f"saved in {path}; to print a proof: {prove}")


def _ask_readings() -> str:
    """Prompt for each reading."""
    print_line("Hold the sheet up to the light, with the printed instructions facing you. Enter all values in mm.")
    answers = [
        (name, click.prompt(question, default=default, value_proc=partial(_parse_answer, name)))
        for name, question, default in _QUESTIONS
    ]
    return " ".join(f"{name}={answer}" for name, answer in answers)


def _parse_answer(name: str, answer: str) -> float:
    """Parse a typed number; an error makes click prompt again."""
    from cardgen.print import calibrate

    try:
        return calibrate.parse_reading(name, answer.strip().replace(",", "."))
    except CardgenError as error:
        raise click.UsageError(error.diagnostics[0].message) from None
