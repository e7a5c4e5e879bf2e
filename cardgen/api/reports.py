"""What other commands tell and write: fixes, readings of texts, the balance, sheets, tables, and measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardgen.api.arguments import (
    PathLike,
    Paths,
    Words,
    argument_places,
    bad_argument,
    project_folder,
    to_paths,
    to_words,
)
from cardgen.runtime.processes import rarer_gc
from cardgen.runtime.workspace import Workspace


@rarer_gc()
def fix(paths: Paths = (), *, unsafe: bool = False) -> list[Path]:
    """Apply the fixes of findings, as `cardgen check --fix` does.

    Args:
        paths: One or more card files or folders, each in its own project. By default, all cards of the project of the
            current folder, and of the projects below it.
        unsafe: True to also apply fixes that change what a card does.

    Returns:
        The files that were written, relative to the current folder.

    Raises:
        CardgenError: A path does not exist.

    """
    from cardgen.project_checks.projects import paths_by_project
    from cardgen.project_checks.run import CheckRequest, apply_fixes

    with argument_places():
        results = [
            apply_fixes(CheckRequest(named, workspace=Workspace(root or project_folder(named))), unsafe=unsafe)
            for root, named in paths_by_project(to_paths(paths)).items()
        ]
    return [Path(file) for each in results for file in each.fixed_files]


@rarer_gc()
def explain(paths: Paths = (), only: Words = ()) -> list[dict[str, Any]]:
    """Return what is understood of the texts of cards, sentence by sentence, as `cardgen explain --json` does.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder.
        only: One or more kinds, ids, names, or tags of cards.

    Returns:
        A map for each text, with the card's id, name, kind, and place; docs/json.md lists the keys.

    Raises:
        CardgenError: The files have errors, or a word matches no card.

    """
    from cardgen.deck.explanation import as_data, explain_cards

    named = to_paths(paths)
    with argument_places():
        return as_data(explain_cards(named, to_words(only), Workspace(project_folder(named))))


@rarer_gc()
def compute_balance(paths: Paths = (), *, kinds: Words = (), game: str | None = None, jobs: int = 1) -> dict[str, Any]:
    """Rank cards by the exact odds of duels between all of them, as `cardgen balance --json` does.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder.
        kinds: One or more kinds of cards that fight. By default, all of the game.
        game: The game, if not the project's.
        jobs: The number of processes.

    Returns:
        The ranking, the scores, and the cards outside the usual band; docs/json.md lists the keys.

    Raises:
        CardgenError: The files have errors, the game has no duels, or a duel has too many outcomes.

    """
    from cardgen.balance.arena import ComputeOptions
    from cardgen.balance.report import BalanceRequest, compute_report
    from cardgen.balance.tables import as_data

    named = to_paths(paths)
    with argument_places():
        request = BalanceRequest(named, to_words(kinds), game=game, workspace=Workspace(project_folder(named)))
        return dict(as_data(compute_report(request, ComputeOptions(jobs))))


@rarer_gc()
def make_sheets(
    sheets: Words = (), *, formats: Words = "pdf", output: PathLike = "output", folder: PathLike | None = None
) -> list[Path]:
    """Make reference sheets, which summarize the rules, as `cardgen reference` does.

    Args:
        sheets: One or more names of sheets, or files. By default, all sheets of the game.
        formats: 'pdf' for paper, 'html' for web pages; one or both.
        output: The folder for the files.
        folder: A folder of the project. Default: the current folder.

    Returns:
        The files that were written.

    Raises:
        CardgenError: A sheet is unknown or has mistakes, or a file cannot be written.

    """
    from cardgen.reference_sheets import make_sheets as sheets_of_game

    with argument_places():
        request = sheets_of_game.SheetRequest(
            to_words(sheets), Path(output), to_words(formats), workspace=Workspace(Path(folder) if folder else None)
        )
        return [*sheets_of_game.make_sheets(request).files]


@rarer_gc()
def export_table(kind: str, output: PathLike, paths: Paths = (), *, only: Words = (), force: bool = False) -> Path:
    """Write the cards of a kind as a table that cardgen reads, as `cardgen table export` does.

    Args:
        kind: The kind of the cards.
        output: The file, whose name ends in .csv, .xlsx, .ods, .json, or .jsonl.
        paths: One or more card files or folders. By default, all cards of the project of the current folder.
        only: One or more kinds, ids, names, or tags of cards.
        force: True to replace the file.

    Returns:
        The file.

    Raises:
        CardgenError: There are no such cards, the format is unknown, or the file exists.

    """
    from cardgen.deck import table_export

    named = to_paths(paths)
    workspace = Workspace(project_folder(named))
    with argument_places():
        return table_export.export_table(
            kind, named, to_words(only), Path(output), None, force=force, workspace=workspace
        ).file


@rarer_gc()
def preflight(subject: PathLike, service: str | None = None, *, folder: PathLike | None = None) -> dict[str, Any]:
    """Measure finished files against the profile of a print service, as `cardgen preflight --json` does.

    Args:
        subject: A PDF, a folder of pictures, or the name of a target, whose output is measured.
        service: The name of the service. Default: that of the target.
        folder: A folder of the project. Default: the current folder.

    Returns:
        The title of the service, and the number of files, pages, and errors, with all findings.

    Raises:
        CardgenError: The service is unknown, or a file cannot be read.

    """
    from cardgen.target import preflight as measurements

    with argument_places():
        report, title = measurements.preflight(
            str(subject), service, workspace=Workspace(Path(folder) if folder else None)
        )
    return {"service": title, **measurements.as_data(report)}


@rarer_gc()
def prove(
    file: PathLike, cut_list: PathLike | None = None, *, backs: str | None = None, pictures: PathLike | None = None
) -> dict[str, Any]:
    """Cut a finished PDF on the screen and measure each piece, as `cardgen proof --json` does.

    Args:
        file: The PDF.
        cut_list: A PDF with its cut list, or the SVG or DXF file of a cutter. Default: the cut list in the PDF, its cut
            marks, or its TrimBox.
        backs: 'long-edge', 'short-edge', 'gutterfold', or 'none'. Default: as the PDF says.
        pictures: A folder for a PNG file of each piece.

    Returns:
        All pieces with their measures, the number of errors, and all findings.

    Raises:
        CardgenError: A file cannot be read or written, or nothing says where to cut.

    """
    from cardgen.sheet.leaf import Backs
    from cardgen.target import proof

    with argument_places():
        if backs not in (None, *Backs):
            raise bad_argument("backs", f"must be one of {', '.join(Backs)}, not '{backs}'")
        way = Backs(backs) if backs else None
        named = Path(cut_list) if cut_list else None
        return proof.as_data(proof.prove(Path(file), named, way, Path(pictures) if pictures else None))
