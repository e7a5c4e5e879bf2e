"""`cardgen list`: cards, pictures, sizes, sprues, credits, and projects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from cardgen.cli._options import build_option, paths_argument, workspace
from cardgen.cli._output import json_option, print_json, print_line
from cardgen.diagnostic import escape_controls


@click.command("list")
@paths_argument
@click.option(
    "--only",
    multiple=True,
    metavar="KIND|NAME|TAG",
    help="List only cards that match a kind, name, tag, or value (suit=shells). Can be repeated.",
)
@build_option("language", "listing")
@click.option("--art", is_flag=True, help="List the pictures on cards and their printed resolution instead.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write thumbnails of the pictures of --art into this web page.",
)
@click.option("--sizes", is_flag=True, help="List card and paper sizes instead, and where this project uses them.")
@click.option("--sprues", is_flag=True, help="List the sprues for build --sprue instead.")
@click.option("--credits", is_flag=True, help="List whom to credit for pictures and icon sets instead.")
@click.option(
    "--projects", is_flag=True, help="Instead of cards, list the project folders that 'cardgen check' looks at."
)
@json_option
def command(
    paths: tuple[Path, ...],
    only: tuple[str, ...],
    language: tuple[str, ...],
    art: bool,
    output: Path | None,
    sizes: bool,
    sprues: bool,
    credits: bool,  # noqa: A002 - the name of the option
    projects: bool,
    as_json: bool,
) -> None:
    """List cards: kind, id, copies, name, and place.

    PATHS are card files or folders; the default is the project's cards.
    """
    flags = (("--art", art), ("--sizes", sizes), ("--sprues", sprues), ("--credits", credits), ("--projects", projects))
    others = [name for name, given in flags if given]
    if others and (paths or only or language or len(others) > 1):
        raise click.UsageError(f"{others[0]} lists no cards, and cannot be combined with other options")
    if output and not art:
        raise click.UsageError("-o needs --art")
    if projects:
        _list_projects(as_json=as_json)
    elif art:
        _list_pictures(output, as_json=as_json)
    elif sizes:
        from cardgen.builds import builder  # loaded here to keep 'cardgen --help' fast

        _print("sizes", ("SIZE", "MILLIMETERS", "USED BY"), builder.list_sizes(workspace()), as_json=as_json)
    elif sprues:
        from cardgen.print import request

        columns = ("SPRUE", "PAPER", "SLOTS", "DESCRIPTION")
        _print("sprues", columns, request.list_sprues(workspace()), as_json=as_json, numbers=2)
    elif credits:
        from cardgen.deck import deck

        _print("credits", ("CREDIT", "LICENSE", "FOR"), deck.list_credits(workspace()), as_json=as_json)
    else:
        _list_cards(paths, only, language, as_json=as_json)


def _list_projects(*, as_json: bool) -> None:
    from cardgen.project.files import display_path
    from cardgen.project_checks.projects import paths_by_project
    from cardgen.runtime.fingerprint import find_project_root

    found = [display_path(root or find_project_root(Path.cwd())) for root in paths_by_project()]
    if as_json:
        print_json("list", {"projects": found})
    for name in () if as_json else found:
        # A shell takes '-' for the last folder, and what begins with it for an option.
        print_line(escape_controls(f"./{name}" if name.startswith("-") else name))


def _list_pictures(output: Path | None, *, as_json: bool) -> None:
    from cardgen.project_checks.rendered_cards import list_pictures, write_pictures

    pictures = list_pictures(workspace())
    if output:
        write_pictures(pictures, output)
    if as_json:
        print_json("list", {"pictures": [each.as_data() for each in pictures]})
    else:
        head = ("PICTURE", "PIXELS", "PRINTED (MM)", "DPI", "CARDS")
        _table([head, *((each.file, *each.words()) for each in pictures)])


def _list_cards(paths: tuple[Path, ...], only: tuple[str, ...], language: tuple[str, ...], *, as_json: bool) -> None:
    from cardgen.deck import deck

    cards = deck.list_cards(paths, only, workspace(language))
    if as_json:
        print_json("list", {"cards": [card.as_data() for card in cards]})
        return
    several = len({card.game for card in cards}) > 1 or any(card.is_own_game for card in cards)
    free = tuple(dict.fromkeys(name for card in cards for name in card.fields))
    rows = [
        (
            f"{card.game} {card.kind}" if several else card.kind,
            card.id,
            str(card.qty),
            card.name,
            *(_cell(card.fields.get(name)) for name in free),
            card.place,
        )
        for card in cards
    ]
    _table([("KIND", "ID", "QTY", "NAME", *(name.upper() for name in free), "PLACE"), *rows], numbers=2)


def _print(
    what: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, as_json: bool, numbers: int = -1
) -> None:
    """Print rows as a table, or as objects with the names of the columns as keys."""
    if as_json:
        keys = [column.lower().replace(" ", "_") for column in columns]
        print_json("list", {what: [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        _table([columns, *rows], numbers)


def _cell(value: object) -> str:
    """Return the value of a field on one line."""
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return "" if value is None else " ".join(str(value).split())


def _table(rows: Iterable[Sequence[str]], numbers: int = -1) -> None:
    """Print aligned columns; the column at index `numbers` is right-aligned."""
    lines = [[*map(escape_controls, row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            f"{cell:>{width}}" if index == numbers else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print_line("  ".join(cells).rstrip())
    if not lines[1:]:
        print_line("there is nothing to list", err=True)
