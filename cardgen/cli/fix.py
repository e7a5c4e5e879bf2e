"""`cardgen fix`: card texts that were read, written as effects."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._options import paths_argument, workspace
from cardgen.cli._output import json_option, print_data, print_json, print_line
from cardgen.units import quantity


@click.command("fix")
@paths_argument
@click.option("--structure", is_flag=True, help="Write the texts that were read as effects.")
@click.option("--loose", is_flag=True, help="With --structure, also accept the texts that were read loosely.")
@click.option("--only", multiple=True, metavar="KIND|NAME|TAG", help="Fix only matching cards. Can be repeated.")
@click.option("--diff", "is_diff", is_flag=True, help="Show what would change, without changing files.")
@json_option
def command(
    paths: tuple[Path, ...], structure: bool, loose: bool, only: tuple[str, ...], is_diff: bool, as_json: bool
) -> int:
    """Write texts as effects, keeping comments and layout.

    PATHS are card files or folders; the default is the project's cards. Only a text whose sentences were all read is
    replaced; see `cardgen explain`. For the fixes of findings, use `cardgen check --fix`.
    """
    if not structure:
        raise click.UsageError("choose what to fix: --structure; for findings, use 'cardgen check --fix'")
    from cardgen.deck import explanation  # loaded here to keep 'cardgen --help' fast

    chosen = explanation.structure_fixes(explanation.explain_cards(paths, only, workspace()), with_loose=loose)
    files = explanation.plan_files(chosen)
    if not is_diff:
        explanation.write_files(files)
    if as_json:
        texts = [{"card": fix.text.entry.card.id, "text": fix.text.text, "effects": fix.replacement} for fix in chosen]
        print_json(
            "fix", {"fixed": texts, "files": list(files), "diff": explanation.files_diff(files) if is_diff else ""}
        )
    elif is_diff:
        print_data(explanation.files_diff(files))
    else:
        for fix in chosen:
            print_line(f"{fix.text.entry.place()}: {fix.text.entry.card.name}: text written as effects")
        print_line(f"{quantity(len(chosen), 'text')} written as effects")
    return int(is_diff and bool(files))
