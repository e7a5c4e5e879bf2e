"""`cardgen release`: store what each card of the project is, to compare later versions with."""

from __future__ import annotations

import click

from cardgen.cli._json import json_option, print_json
from cardgen.cli._terminal import print_line


@click.command("release")
@click.argument("name", metavar="NAME")
@click.option("--force", is_flag=True, help="Replace the file of an earlier release of this name.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def command(name: str, force: bool, quiet: bool, as_json: bool) -> None:
    """Write the release file of the project's cards.

    The file releases/NAME.yaml has the rules, words, and look of each printed card. Commit it, and compare later
    versions with it: see 'cardgen diff' and 'cardgen build --changed-since'.
    """
    from cardgen.pipeline.release import run  # loaded here to keep 'cardgen --help' fast

    result = run.write_release(name, force=force)
    if as_json:
        print_json("release", {"file": result.file, "cards": result.cards, "unchanged": result.unchanged})
    elif not quiet:
        count = "1 card" if result.cards == 1 else f"{result.cards} cards"
        print_line(f"{result.file.as_posix()}: {count}{', unchanged' if result.unchanged else ''}")
