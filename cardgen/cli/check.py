"""`cardgen check`: what is wrong with cards, where, why, and how to mend it."""

from __future__ import annotations

from pathlib import Path

import click

_FORMATS = ("full", "concise", "json", "github", "sarif")


def _words(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes and names, given one by one or with commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _targets(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path | None], ...]:
    """'sarif=out.sarif' as a format and a file."""
    targets = []
    for value in values:
        name, _, file = value.partition("=")
        if name not in _FORMATS:
            raise click.BadParameter(f"'{name}' is none of {', '.join(_FORMATS)}")
        targets.append((name, Path(file) if file else None))
    return tuple(targets)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "targets",
    multiple=True,
    callback=_targets,
    default=("full",),
    metavar="FORMAT[=FILE]",
    help="full, concise, json, github or sarif; to a file or to standard output. May be given several times.",
)
@click.option(
    "--select", multiple=True, callback=_words, metavar="CHECKS", help="Only these checks: CODE, CODES, NAME."
)
@click.option("--ignore", multiple=True, callback=_words, metavar="CHECKS", help="Not these checks.")
@click.option("--fit", is_flag=True, help="Draw the cards too, and check how their texts and pictures fit.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing what a card does.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="Mend also what changes what a card does.")
@click.option("--explain", metavar="CODE|NAME", help="Show the manual page of a check, or of all.")
@click.option("--statistics", is_flag=True, help="Count the findings of each check, and name what met nothing.")
@click.option(
    "--fail-level",
    type=click.Choice(["error", "warning", "note"]),
    help="Fail on findings of this gravity or a graver one; else as the project's settings say, or on warnings.",
)
def command(
    paths: tuple[Path, ...],
    targets: tuple[tuple[str, Path | None], ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fit: bool,
    fix: bool,
    diff: bool,
    unsafe_fixes: bool,
    explain: str | None,
    statistics: bool,
    fail_level: str | None,
) -> int:
    """Check cards against the rules of their game.

    PATHS are card files or folders of them; without any, the project's cards are checked.
    Checks are named by code, by the beginning of codes (WN3), or by name.
    """
    from cardgen.pipeline import checking, mending, reporting  # loaded here, so that 'cardgen --help' stays quick

    for word in (*select, *ignore, *([explain] if explain else [])):
        if not checking.all_checks().named(word):
            raise click.UsageError(checking.unknown(word))
    if explain:
        click.echo(reporting.explain(explain), nl=False)
        return 0
    request = checking.Request(paths, select, ignore, fit)
    if diff:
        changes = mending.preview(request, unsafe=unsafe_fixes)
        click.echo(changes, nl=False)
        return int(bool(changes))
    outcome = mending.mend(request, unsafe=unsafe_fixes) if fix else checking.check(request)
    for line in reporting.write(outcome, targets, statistics=statistics):
        click.echo(line.text, nl=False, err=line.aside)
    return int(checking.fails(outcome, fail_level))
