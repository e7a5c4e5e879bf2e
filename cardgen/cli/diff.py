"""`cardgen diff`: the cards that changed between two releases."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli._group import EXIT_FINDINGS
from cardgen.cli._options import format_of_file, print_or_write
from cardgen.cli._output import json_text, print_line, remember_json_format
from cardgen.diagnostic import Code, escape_controls
from cardgen.runtime.regular_file import DASH

if TYPE_CHECKING:
    from cardgen.releases.changes import Changes

_FORMATS = ("text", "json", "markdown", "html")
_PAGE = Path("output", "diff.html")
_GATES = ("rules", "words", "looks")
_PERCENT = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?) ?%")


def _share(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Return the part of one that a text such as '5%' means."""
    if value is None:
        return None
    match = _PERCENT.fullmatch(value.strip())
    if match is None:
        raise click.BadParameter(f"'{value}' is not a percentage such as 5%")
    return float(match[1]) / 100


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "--format",
    "report",
    type=click.Choice(_FORMATS),
    callback=remember_json_format,
    help="Format of the report; html is one file with pictures of both releases.  [default: from the file's name, "
    "else text]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the report, or - for standard output.  [default: - or output/diff.html]",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--odds/--no-odds",
    default=None,
    help="Show how changed rules affect the odds of benchmarks and the ranking. By "
    "default, for up to 20 changed cards.",
)
@click.option(
    "--fail-on",
    type=click.Choice(_GATES),
    help="Exit with 1 if a card changed. rules: it is new or gone, or its rules changed; words: or its id, words, or "
    "translations changed; looks: or its look changed.",
)
@click.option(
    "--max-balance-shift",
    callback=_share,
    metavar="PERCENT",
    help="Exit with 1 if the share of its duels that a card with changed rules wins has shifted by more than this, "
    "such as 5%, or if the share is not known.",
)
@click.option(
    "--note",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Exit with 1 if these release notes do not mention every changed card.",
)
def command(
    old: str,
    new: str | None,
    report: str | None,
    output: Path | None,
    as_json: bool,
    odds: bool | None,
    fail_on: str | None,
    max_balance_shift: float | None,
    note: Path | None,
) -> None:
    """List the cards that changed between two releases.

    OLD and NEW are releases, or tags of the project's Git repository that have no release file. Without NEW, OLD is
    compared with the cards as they are now. Each card is in one class: new, gone, rules changed, renamed, or only its
    words, translations, look, or copies changed.
    """
    from cardgen.checking.locate import relative_name  # loaded here to keep 'cardgen --help' fast
    from cardgen.project.files import repository_root
    from cardgen.releases import report as reports
    from cardgen.releases import run
    from cardgen.runtime.fingerprint import find_project_root

    form = "json" if as_json else report or format_of_file(output, _FORMATS)
    if max_balance_shift is not None and odds is False:
        raise click.UsageError("--max-balance-shift needs odds; leave out --no-odds")
    changes, meanings = run.diff_with_odds(old, new, odds=odds)
    refused = [*reports.breaches(changes, meanings, fail_on, max_balance_shift)]
    if form == "json":
        print_or_write([json_text("diff", reports.as_data(changes, meanings))], output)
    elif form == "html":
        _write_page(changes, meanings, (old, new), output or _PAGE)
    else:
        place = relative_name(str(find_project_root(Path.cwd())), repository_root())
        in_markdown = partial(reports.markdown_lines, refused=refused, folder="" if place == "." else place)
        lines = (reports.text_lines if form == "text" else in_markdown)(changes, meanings)
        print_or_write((f"{escape_controls(line)}\n" for line in lines), output)
    for line in refused:
        print_line(f"not allowed: {line}", err=True)
    if note:
        _require_named(changes, note)
    if refused:
        raise click.exceptions.Exit(EXIT_FINDINGS)


def _write_page(changes: Any, meanings: Any, names: tuple[str, str | None], path: Path) -> None:
    """Write the web page, and print its path."""
    from cardgen.releases.page import as_html
    from cardgen.runtime import atomic_write

    atomic_write.write(path, as_html(changes, meanings, *names))
    print_line(path.as_posix(), err=path == DASH)


def _require_named(changes: Changes, note: Path) -> None:
    """Raise CardgenError if a note leaves out cards that changed."""
    from cardgen.diagnostic import CardgenError, Diagnostic, Place, join_words
    from cardgen.releases.write import missing_cards

    names = [each.card.name for each in missing_cards(changes, note)]
    if names:
        message = f"the notes do not mention {join_words(names, 'and')}, which changed since {changes.old}"
        advice = "say what changed, and why; 'cardgen release' writes a draft"
        raise CardgenError(Diagnostic(Code.BAD_NOTES, message, Place(note.as_posix()), advice))
