"""`cardgen release`: store what each card of the project is, to compare later versions with."""

from __future__ import annotations

import click

from cardgen.cli._output import json_option, print_json, print_line
from cardgen.units import quantity


@click.command("release")
@click.argument("name", metavar="NAME")
@click.option("--force", is_flag=True, help="Replace the file of an earlier release of this name.")
@click.option(
    "--since",
    metavar="RELEASE",
    help="Release, or Git tag without a release file, with which the notes compare.  [default: the release before]",
)
@click.option("--no-notes", is_flag=True, help="Write no release notes.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def command(name: str, force: bool, since: str | None, no_notes: bool, quiet: bool, as_json: bool) -> None:
    """Write the release file of the project's cards, and its notes.

    The file releases/NAME.yaml has the rules, words, and look of each printed card. Commit it, and compare later
    versions with it: see 'cardgen diff' and 'cardgen build --changed-since'. The file releases/NAME.md has the changes
    since the release before, with places for your reasons, which are kept when the file is written again.
    """
    from cardgen.releases.write import write_release  # loaded here to keep 'cardgen --help' fast

    if since is not None and no_notes:
        raise click.UsageError("--since and --no-notes cannot be combined")
    if since == name:
        raise click.UsageError("--since must be a different release")
    result = write_release(name, since=since, notes=not no_notes, force=force)
    if as_json:
        data = {"file": result.file, "cards": result.cards, "unchanged": result.unchanged}
        print_json("release", {**data, "notes": result.notes.file if result.notes else None})
    elif not quiet:
        count = quantity(result.cards, "card")
        print_line(f"{result.file.as_posix()}: {count}{', unchanged' if result.unchanged else ''}")
        for notes in filter(None, (result.notes, result.following)):
            print_line(
                f"{notes.file.as_posix()}: changes since {notes.since}{', unchanged' if notes.unchanged else ''}"
            )
        if result.notes is None and not no_notes:
            print_line(f"no notes: there is no release before {name}")
