"""Diagnostic codes of tables, and their limits."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem."""

    BAD_TABLE = "CG040"
    TOO_LARGE = "CG041"
    LOST_VALUE = "CG042"
    BAD_EXPRESSION = "CG043"
    NO_LIBRARY = "CG044"


MIB = 2**20
MAX_FILE_SIZE = 16 * MIB
MAX_UNPACKED = 64 * MIB
MAX_CELLS = 1_000_000
MAX_CELL_LENGTH = 100_000
MAX_TEXT = 100_000_000
MAX_COLUMNS = 500
FILE_TOO_LARGE = f"the file is larger than {MAX_FILE_SIZE // MIB} MiB"
TOO_MANY_CELLS = f"the table has more than {MAX_CELLS:,} cells"
