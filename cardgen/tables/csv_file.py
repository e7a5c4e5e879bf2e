"""Tables in CSV, and cells that spreadsheets would run as formulas."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span
from cardgen.source.composer import MAX_SOURCE_LINE
from cardgen.tables.table import MAX_CELL_LENGTH, MAX_CELLS, SEPARATORS, TOO_MANY_CELLS, Cell, Sheet, normalize

# Texts in CSV files that spreadsheets would take for formulas.
# A spreadsheet runs a text that begins with '=', '+', '-', or '@' as a formula, which may send data elsewhere; some
# ignore spaces and tabs before it, and take the wide forms of East Asian fonts. An apostrophe before it prevents that.
# Apostrophes that are already there get one more, so that reading takes exactly one away.

_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]")
_GUARDED = re.compile(r"'+\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[./][0-9]+)?")
# What another separator, or the end of a line, makes a cell of its own.
_PARTS = re.compile(r"[^;|\t\n\r]+|[;|\t\n\r]")


def defuse(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, also not one with another separator than commas.

    Numbers and fractions stay as they are.
    """
    return "".join(
        f"'{part}" if _FORMULA.match(part) and not _NUMBER.fullmatch(part) else part for part in _PARTS.findall(text)
    )


def restore(text: str) -> str:
    """Return the text that `defuse` changed."""
    return "".join(part[1:] if _GUARDED.match(part) else part for part in _PARTS.findall(text))


# CSV files: separator, cells, and the place of each cell in the text.

# The first line that Excel understands, but other programs show.
_DECLARATION = re.compile(r"sep=([,;\t|])")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_UNCLOSED = "unclosed quotation mark"


class _CsvText(NamedTuple):
    """The text of a CSV file.

    `starts` has the number of the first line of each row, counted from 0.
    """

    file: str
    lines: list[str]
    separator: str
    starts: list[int]

    def place(self, row: int, column: int) -> Place:
        """Return the place of a cell with its quotes.

        For a row that is too short, return its end.
        """
        first = self.starts[row]
        last = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.lines)
        text = "".join(self.lines[first:last]).rstrip("\n")
        start, end = _cell_range(text, column, self.separator)
        return _place(self.file, text, first, start, end)


def _place(file: str, text: str, first_line: int, start: int, end: int) -> Place:
    """Return the place of a part of a text.

    Its first line has the number `first_line`, from 0.
    """
    line, end_line = text.count("\n", 0, start), text.count("\n", 0, end)
    begin, end_begin = text.rfind("\n", 0, start) + 1, text.rfind("\n", 0, end) + 1
    span = Span(first_line + line + 1, start - begin + 1, first_line + end_line + 1, end - end_begin + 1)
    source_line = text[begin:].partition("\n")[0]
    return Place(file, span, source_line if len(source_line) <= MAX_SOURCE_LINE else "")


def _cell_range(text: str, column: int, separator: str) -> tuple[int, int]:
    start = 0
    for _ in range(column):
        end = _cell_end(text, start, separator)
        if end >= len(text):
            return len(text), len(text)
        start = end + 1
    return start, _cell_end(text, start, separator)


def _cell_end(text: str, start: int, separator: str) -> int:
    quoted = _QUOTED.match(text, start)
    end = text.find(separator, quoted.end() if quoted else start)
    return end if end >= 0 else len(text)


def read_csv(text: str, file: str) -> Sheet:
    """Return the cells of a CSV text.

    `file` is its name in messages.

    Raises CardgenError if it cannot be read.
    """
    if text.count("\n") > MAX_CELLS:
        message = f"the table has more than {MAX_CELLS:,} lines"
        raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, Place(file), "split the file"))
    lines = [f"{line}\n" for line in text.removesuffix("\n").split("\n")]  # Only line feeds end lines here.
    declared = _DECLARATION.fullmatch(lines[0].strip("\n"))
    if declared:
        separator = declared[1]
    else:
        # The most frequent separator in the first line without a comment.
        header = next((line for line in lines if line.strip() and not line.startswith("#")), "")
        unquoted = _QUOTED.sub("", header)
        separator = max(SEPARATORS, key=unquoted.count)
    csv_text = _CsvText(file, lines, separator, [])
    rows: list[list[Cell]] = []
    skip = int(bool(declared))
    reader = csv.reader(csv_text.lines[skip:], delimiter=csv_text.separator, strict=True)
    cells = start = 0
    limit = csv.field_size_limit(MAX_CELL_LENGTH)
    try:
        for row in reader:
            csv_text.starts.append(skip + start)
            start = reader.line_num
            cells += len(row)
            if cells > MAX_CELLS:
                raise _error(csv_text, skip + start - 1, Code.TABLE_TOO_LARGE, TOO_MANY_CELLS, "split the file")
            rows.append([normalize(restore(cell)) for cell in row])
    except csv.Error as error:
        raise _syntax_error(csv_text, skip + start, skip + reader.line_num - 1, str(error)) from None
    finally:
        csv.field_size_limit(limit)
    return Sheet(rows, csv_text.place, separator)


def _syntax_error(csv_text: _CsvText, first: int, last: int, message: str) -> CardgenError:
    if "field limit" in message:
        message = f"a cell has more than {MAX_CELL_LENGTH:,} characters"
        return _error(
            csv_text, first, Code.TABLE_TOO_LARGE, message, "add a closing quotation mark, or shorten the cell"
        )
    if "end of data" in message:
        return _error(csv_text, first, Code.BAD_TABLE, _UNCLOSED, "add the closing quotation mark")
    if last > first:  # A cell that was left open ends at the quotation mark that opens another one, in a later line.
        message = f"the row does not end before line {last + 1}, where text follows a quotation mark"
        return _error(csv_text, first, Code.BAD_TABLE, message, "add the closing quotation mark")
    message = "unexpected text after a closing quotation mark"
    return _error(csv_text, last, Code.BAD_TABLE, message, "double each quotation mark within a cell in quotes")


def _error(csv_text: _CsvText, line: int, code: Code, message: str, help_text: str) -> CardgenError:
    line = min(line, len(csv_text.lines) - 1)
    text = csv_text.lines[line].rstrip("\n")
    place = _place(csv_text.file, text, line, 0, len(text))
    return CardgenError(Diagnostic(code, message, place, help_text))
