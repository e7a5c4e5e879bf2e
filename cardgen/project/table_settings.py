"""Settings of tables: spreadsheets and JSON files with cards."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.confinement import resolve_inside
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.validation.base import Model, Text
from cardgen.validation.suggestion import join_words

# Free text, an expression of the templates' language.
ExpressionText = Annotated[Text, Field(max_length=4_000)]


class TableSettings(Model):
    """How the rows of a table become cards.

    `kind` is the kind of all cards without a kind of their own, and `game` their game, if not the project's. `sheet`
    selects one sheet of a workbook. `rows` is an expression that selects rows, and `columns` gives the key of a column,
    or None to ignore it. `each` is an expression that gives the rows, for JSON files in which they are not the whole
    array. `map` gives the keys of a card, as expressions over `row`, maps, or lists.
    """

    kind: Text | None = None
    game: Text | None = None
    sheet: Text | None = None
    rows: ExpressionText | None = None
    columns: Mapping[str, Text | None] = Field(default_factory=dict)
    each: ExpressionText | None = None
    map: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _require_one_mapping(self) -> Self:
        if self.columns and self.map:
            raise PydanticCustomError(
                "columns_and_map",
                "'columns' and 'map' cannot be combined",
                {"code": Code.INVALID, "path": ("columns",), "at_key": True, "help": "write all keys in 'map'"},
            )
        return self


_ONE_ENTRY = (
    "remove one of them; for several sheets of a workbook, leave 'sheet' out, and add a column 'kind' to the sheets"
)


def _identity(path: Path) -> object:
    """Return what two paths of one file have in common, also on file systems that ignore case, and with links."""
    try:
        status = path.stat()
    except OSError:
        return os.path.normcase(path)
    return status.st_dev, status.st_ino


def _require_table(root: Path, name: str) -> None:
    """Raise ValueError with a message for the user if `name` is not the path of a table below `root`."""
    if not name.lower().endswith(TABLE_SUFFIXES):
        raise ValueError(f"the name of a table must end in {join_words(TABLE_SUFFIXES)}")
    resolve_inside(root, name, root)


def resolve_tables(root: Path, names: Iterable[str], place: Callable[[str], Place]) -> dict[Path, str]:
    """Return the absolute paths of the tables in the settings of a project, which need not exist, and their names.

    Raises CardgenError, at the `place` of the name, for each that is not a table, is outside the folder `root`, or is
    the same file as an earlier one.
    """
    tables: dict[Path, str] = {}
    files: dict[object, str] = {}
    problems: list[Diagnostic] = []
    for name in names:
        try:
            _require_table(root, name)
        except ValueError as error:
            problems.append(Diagnostic(Code.NOT_A_CARD_FILE, str(error), place(name)))
        else:
            path = Path(os.path.normpath(root / name))
            earlier = files.setdefault(_identity(path), name)
            if earlier == name:
                tables[path] = name
            else:
                message = f"'{name}' is the same file as '{earlier}', and a file can have one entry"
                problems.append(Diagnostic(Code.INVALID, message, place(name), _ONE_ENTRY))
    if problems:
        raise CardgenError(*problems)
    return tables
