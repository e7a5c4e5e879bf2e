"""What other programs read: the cards of a project as tables, and JSON Schemas for editors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.deck.deck import card_schema, load_deck, rules_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words
from cardgen.model.card import Entry
from cardgen.runtime import atomic_write
from cardgen.runtime.escapes import dump_json
from cardgen.runtime.regular_file import DASH, write_output
from cardgen.runtime.workspace import Workspace
from cardgen.source import Data
from cardgen.tables.writer import Grid, card_grid, write_csv, write_ods, write_xlsx

_WRITERS: Mapping[str, Callable[[Grid, str], bytes]] = {
    "csv": lambda grid, title: write_csv(grid),
    "xlsx": write_xlsx,
    "ods": write_ods,
}
FORMATS = (*_WRITERS, "json", "jsonl")
_HEADER_KEYS = ("format", "game", "kind")


class TableExport(NamedTuple):
    """File that was written, and the number of its cards."""

    file: Path
    cards: int


def export_table(
    kind: str,
    paths: Sequence[Path],
    only: Sequence[str],
    output: Path,
    file_format: str | None,
    *,
    force: bool,
    workspace: Workspace | None = None,
) -> TableExport:
    """Write the cards of a kind as a table to a file, or to standard output for '-'.

    The format is that of the file's name, and CSV for standard output. Raises CardgenError if it is unknown, if there
    are no such cards, and if the file exists, unless `force` is true.
    """
    chosen = file_format or _format_of(output)
    if output != DASH and output.exists() and not force:
        raise _bad_option("file already exists; left unchanged", "--output", "use --force to replace it")
    cards = load_deck(paths, only, workspace=workspace)[1].cards
    entries = [entry for entry in cards if entry.kind == kind]
    games = {entry.game for entry in entries}
    if len(games) != 1:
        raise _wrong_kind(kind, cards, games)
    rows = list(map(_card_data, entries))
    if chosen == "jsonl":
        content = "".join(dump_json(card, indent=None) for card in rows).encode()
    elif chosen == "json":
        content = dump_json(rows).encode()
    else:
        model = rules_of(entries[0]).kinds[kind].model
        content = _WRITERS[chosen](card_grid(rows, kind, (model,)), kind)
    if output == DASH:
        write_output(BytesIO(content))
    else:
        atomic_write.write(output, content)
    return TableExport(output, len(entries))


def _format_of(output: Path) -> str:
    if output == DASH:
        return "csv"
    suffix = output.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        message = f"unknown table format '{output.suffix}' (one of {', '.join(f'.{name}' for name in FORMATS)})"
        raise _bad_option(message, "--output", "end the name of the file in one of these, or use --format")
    return suffix


def _wrong_kind(kind: str, cards: Sequence[Entry], games: set[str]) -> CardgenError:
    if games:
        message = f"'{kind}' cards of several games: {join_words(sorted(games), 'and')}"
        return _bad_option(message, "KIND", "pass the files of one game")
    kinds = sorted({entry.kind for entry in cards})
    return _bad_option(f"no cards of kind '{kind}'{did_you_mean(kind, kinds)}", "KIND", f"kinds: {', '.join(kinds)}")


def _bad_option(message: str, option: str, help_text: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_OPTION, message, Place(option), help_text))


def _card_data(entry: Entry) -> Mapping[str, Data]:
    """Return the keys of a card as its author wrote them, with the defaults of its file."""
    data = entry.source_map.merged_data()
    return {key: value for key, value in data.items() if key not in _HEADER_KEYS and value is not None}


def _game_schema(_: str | None = None) -> Mapping[str, Any]:
    """Return the JSON Schema of game files, which is the same for all games."""
    from cardgen.game_file.spec import game_file_schema  # loaded here because few need it

    return game_file_schema()


def _layout_schema(_: str | None = None) -> Mapping[str, Any]:
    """Return the JSON Schema of layouts, which is the same for all games."""
    from cardgen.face.layout import layout_schema  # loaded here because few need it

    return layout_schema()


# Each takes the game, or None for the game of the project.
SCHEMAS: Mapping[str, Callable[[str | None], Mapping[str, Any]]] = {
    "cards": card_schema,
    "game": _game_schema,
    "layout": _layout_schema,
}
