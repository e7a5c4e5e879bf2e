"""A cell or text that a spreadsheet, a wrong encoding, or a web page has probably changed.

Why is this bad?
    The card prints a value that nobody entered. Spreadsheets replace anything that looks like a number or a date: `007`
    becomes 7, and `3/4` the third of April. A file in the wrong encoding shows `Ã‰lan` for `Élan`. Names copied from
    web pages can contain invisible characters, so that a typed reference does not match them. Format the column as text
    before you enter such values, and save files as UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Place, Severity
from cardgen.language import MISREAD, as_utf8
from cardgen.model.card import Card
from cardgen.source import Document
from cardgen.tables.table import WRONG_ENCODING, TableDocument
from cardgen.units import quantity
from cardgen.validation.validate import INVISIBLE, invisible_advice

CODE, NAME = "CG140", "mangled-cell"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = (Document, Card)


def find(part: Document | Card, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding for each odd cell of a table, one for a file in the wrong encoding, and one for an odd name."""
    if isinstance(part, Card):
        if invisible := INVISIBLE.search(part.name):
            message = f"the name contains the invisible character U+{ord(invisible[0]):04X}"
            yield Finding(message, ("name",), invisible_advice(part.name))
    elif isinstance(part, TableDocument):
        misread = [each for each in part.oddities if each.help == WRONG_ENCODING]
        if len(misread) > 1:
            yield _misread((each.message for each in misread), misread[0].place, len(misread))
        for oddity in part.oddities if len(misread) < 2 else (each for each in part.oddities if each not in misread):
            yield Finding(oddity.message, help=oddity.help, place=oddity.place)
    elif not (text := part.line_index.text).isascii():
        matches = [match for match in MISREAD.finditer(text) if match[0][0] in _FIRST and as_utf8(match[0])]
        if matches:
            words = (f"'{match[0]}' for '{as_utf8(match[0])}'" for match in matches)
            yield _misread(words, part.line_index.place(*matches[0].span()), len(matches))


def _misread(words: Iterable[str], place: Place, number: int) -> Finding:
    shown = ", ".join([*dict.fromkeys(words)][:_MOST_SHOWN])
    message = f"UTF-8 was read as Latin-1 in {quantity(number, 'place')}: {shown}"
    return Finding(message, help=WRONG_ENCODING, place=place)


_MOST_SHOWN = 3
# Of the letters of Windows-1252 that begin a character, those that hardly end a word before a quotation mark.
_FIRST = "ÂÃÄÅÎÏÐÑâãäåæçèé"
