"""Lengths of the texts in a spreadsheet, which cells can share or repeat."""

from __future__ import annotations

from collections import Counter

from cardgen.tables.codes import MAX_CELL_LENGTH, MAX_TEXT

LONG_CELL = f"a cell has more than {MAX_CELL_LENGTH:,} characters"
TOO_MUCH_TEXT = f"the cells have more than {MAX_TEXT:,} characters"


class CellTexts:
    """Counter of characters: a text of a few bytes in the file can be that of a million cells."""

    def __init__(self) -> None:
        self._shared: dict[int, int] = {}
        self._uses = Counter[int]()
        self._others = 0

    @property
    def total(self) -> int:
        """The characters of all cells."""
        return self._others + sum(uses * self._shared.get(index, 0) for index, uses in self._uses.items())

    def add_shared(self, index: int, length: int) -> None:
        """Add a text that cells of an XLSX file refer to by its index."""
        self._shared[index] = max(self._shared.get(index, 0), length)

    def add_reference(self, text: str) -> None:
        """Add a cell with the index of a text; one that is not a number is not a valid cell."""
        if text.strip().removeprefix("+").isdecimal():
            self._uses[int(text)] += 1

    def add_cells(self, length: int, count: int) -> None:
        """Add cells with a text of their own."""
        self._others += length * count
