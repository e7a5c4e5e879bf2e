"""Located diagnostics, the error that carries them, and suggestions for unknown names."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

# Characters of a source line to show; a longer line is clipped around the place.
LONGEST_LINE = 160
# Characters to keep in front of the place in a clipped line.
_CONTEXT = 40
# Characters that could overwrite or reorder what a terminal or a page shows, and halves of characters that cannot be
# written at all.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# How places name the options and arguments of commands.
_OPTION = re.compile(r"-[a-zA-Z]|--[a-z][a-z-]*")
_ARGUMENTS = frozenset({"CARD", "DICE", "KIND", "NAME", "NEW", "OLD", "SHEET"})


def escape_controls(text: str) -> str:
    r"""Return a text on one line, with escapes such as '\n' and '\u202e' for control characters.

    A byte of a file name that is not valid UTF-8 becomes '\xff'.
    """
    return text if text.isprintable() else _CONTROL.sub(_escape, text)


def escape_lines(text: str) -> str:
    """Return a text with escapes for all control characters but the line feeds."""
    return "\n".join(map(escape_controls, text.split("\n")))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # how Python stores a byte that it cannot decode
        return f"\\x{code - 0xDC00:02x}"
    return match[0].encode("unicode_escape", "backslashreplace").decode()


# Where entries of the activity log go; nowhere by default.
_print_entry: Callable[[str], None] | None = None
_started = 0.0


def start_log(print_line: Callable[[str], None]) -> None:
    """Pass each entry to a function from now on, as a line with the seconds since this call."""
    global _print_entry, _started
    if _print_entry is None:
        _started = time.monotonic()
    _print_entry = print_line


def stop_log() -> None:
    """Log nothing from now on."""
    global _print_entry
    _print_entry = None


def log_activity(entry: str) -> None:
    """Log an entry, such as 'read cards/a.yaml'."""
    if _print_entry is not None:
        _print_entry(escape_controls(f"[{time.monotonic() - _started:7.3f} s] {entry}"))


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem; each has a page in `cardgen check --explain`."""

    UNREADABLE = "CG001"
    FILE_TOO_LARGE = "CG002"
    NOT_UTF8 = "CG003"
    UNPRINTABLE = "CG004"
    SYNTAX = "CG005"
    SEVERAL_DOCUMENTS = "CG006"
    TAG = "CG007"
    ANCHOR = "CG008"
    MERGE_KEY = "CG009"
    TOO_DEEP = "CG010"
    TOO_MUCH = "CG011"
    KEY_NOT_TEXT = "CG012"
    DUPLICATE_KEY = "CG013"
    AMBIGUOUS = "CG014"
    NUMBER_OUT_OF_RANGE = "CG015"
    MALFORMED_SUPPRESSION = "CG016"
    UNUSED_SUPPRESSION = "CG017"
    NO_SUCH_FILE = "CG020"
    NOT_A_CARD_FILE = "CG021"
    NO_CARDS = "CG022"
    OUTSIDE = "CG023"
    CONFLICT = "CG024"
    RELAXED = "CG025"
    NO_SUCH_GAME = "CG030"
    BAD_SETTINGS = "CG031"
    UNFINISHED_GAME = "CG032"
    INVALID_GAME = "CG033"
    BAD_GAME_FOLDER = "CG034"
    LOOSE_END = "CG035"
    BAD_TABLE = "CG040"
    TABLE_TOO_LARGE = "CG041"
    LOST_VALUE = "CG042"
    BAD_TABLE_EXPRESSION = "CG043"
    NO_LIBRARY = "CG044"
    UNKNOWN_KEY = "CG101"
    MISSING_KEY = "CG102"
    WRONG_TYPE = "CG103"
    OUT_OF_BOUNDS = "CG104"
    NOT_ONE_OF = "CG105"
    MALFORMED = "CG106"
    INVALID = "CG107"
    SAME_KEY_TWICE = "CG108"
    UNKNOWN_FORMAT = "CG110"
    UNKNOWN_GAME = "CG111"
    UNKNOWN_KIND = "CG112"
    NOT_A_CARD = "CG113"
    DUPLICATE_ID = "CG114"
    UNKNOWN_REFERENCE = "CG115"
    AMBIGUOUS_REFERENCE = "CG116"
    UNKNOWN_SELECTION = "CG117"
    ODD_CHANGE = "CG147"
    OVERFLOW = "CG501"
    MISSING_GLYPH = "CG502"
    UNKNOWN_ICON = "CG503"
    ART = "CG504"
    NO_TEMPLATE = "CG510"
    TEMPLATE = "CG511"
    SVG = "CG512"
    BOX = "CG513"
    THEME = "CG514"
    BAD_OPTION = "CG520"
    BAD_SIZE = "CG521"
    NOTHING_TO_PRINT = "CG522"
    NO_ROOM = "CG523"
    NOT_ONE_CARD = "CG524"
    FILE_EXISTS = "CG525"
    NO_CARD_TO_NAME = "CG526"
    NO_BACK = "CG527"
    BAD_SPRUE = "CG528"
    BAD_PRINTER = "CG529"
    NO_SUCH_PACK = "CG540"
    BAD_SERVICE = "CG541"
    NOT_EXPORTABLE = "CG542"
    BAD_PROFILE = "CG543"
    UPLOAD_FAILED = "CG544"
    BAD_PREFLIGHT = "CG545"
    NO_RELEASE = "CG546"
    BAD_RELEASE = "CG547"
    BAD_RELEASE_NAME = "CG548"
    RELEASE_EXISTS = "CG549"
    BAD_NOTES = "CG550"
    UNTRANSLATED = "CG551"
    BAD_TRANSLATION = "CG552"
    NO_CAIRO = "CG590"
    UNDRAWABLE = "CG591"
    UNWRITABLE = "CG592"
    BAD_DATE = "CG593"
    DAMAGED_FONT = "CG594"
    NO_CLUSTER = "CG595"
    NO_STUDIO = "CG596"
    NOT_A_SHEET = "CG601"
    UNKNOWN_SECTION = "CG602"
    UNKNOWN_CONTENT = "CG603"
    UNKNOWN_SHEET_NAME = "CG604"
    UNEVEN_TABLE = "CG605"
    SAME_SECTION = "CG606"
    BAD_EXAMPLE = "CG607"
    UNKNOWN_SHEET = "CG608"
    SAME_SHEET = "CG609"
    SHEET_TOO_LONG = "CG610"
    MISSING_SHEET_GLYPH = "CG611"
    BAD_DICE = "CG801"
    IMPOSSIBLE_ANSWER = "CG802"
    BROKEN_TRANSCRIPT = "CG803"
    OTHER_VERSION = "CG804"
    WRONG_LINE = "CG805"
    NOT_POSSIBLE = "CG806"
    UNKNOWN_CARD = "CG807"
    NO_REFEREE = "CG808"
    UNKNOWN_SWITCH = "CG809"
    TOO_MANY_OUTCOMES = "CG810"
    NO_ANSWER = "CG811"


class Severity(StrEnum):
    """Severity of a diagnostic."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """Range of text; lines and columns count from 1.

    The end column is exclusive: it is the column after the last character.
    """

    line: int
    column: int
    end_line: int
    end_column: int


class Place(NamedTuple):
    """Location in a file.

    `file` is the path as the user would type it, and `span` is None for a whole file. `source_line` is the first line
    of the span without its line break, so that reports need not read the file again. `locator` is the cell of a
    spreadsheet ('Sheet1:C5'), whose span counts rows and columns, or the JSON pointer of a value ('/3/weapons/0'), by
    which those in the first line are called: that can be the whole file.
    """

    file: str
    span: Span | None = None
    source_line: str = ""
    locator: str = ""

    @property
    def is_cell(self) -> bool:
        """Whether this is a cell of a spreadsheet, whose file has no lines of text."""
        return bool(self.locator) and not self.locator.startswith("/")

    @property
    def is_argument(self) -> bool:
        """Whether this is an option or argument of a command, such as '--paper' or 'NAME', instead of a file."""
        return self.span is None and (self.file in _ARGUMENTS or bool(_OPTION.fullmatch(self.file)))

    def __str__(self) -> str:
        file = escape_controls(self.file)
        if self.locator and (self.is_cell or self.span is None or self.span.line == 1):
            return f"{file}{'!' if self.is_cell else ':'}{escape_controls(self.locator)}"
        return file if self.span is None else f"{file}:{self.span.line}:{self.span.column}"


class Fix(NamedTuple):
    """A fix for a finding: `text` replaces the characters at its place.

    A `safe` fix is certainly what the author meant; any other changes what the card does. `span` is what is replaced,
    if that is not the place of the finding.
    """

    text: str
    safe: bool = False
    span: Span | None = None


class Diagnostic(NamedTuple):
    """Located message: what is wrong, where, and how to fix it.

    `code` is the code of the check or fixed limit ('CG101'), `help` says how to fix the problem, and `related` lists
    further places, each with a label ('first defined here'). Findings that `cardgen.check` returns also have the `name`
    of the check, its `confidence` ('certain', 'likely', or 'guess'), and the `fix`, if there is one.
    """

    code: str
    message: str
    place: Place
    help: str = ""
    severity: Severity = Severity.ERROR
    related: tuple[tuple[Place, str], ...] = ()
    name: str = ""
    confidence: str = ""
    fix: Fix | None = None

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """The further places in words, for reports without source lines: 'first defined here: cards/a.yaml:3:9'."""
        return tuple(f"{label}: {place}" for place, label in self.related)

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Return the sort key of reports: file, place, code, message."""
        span = self.place.span
        line, column = (span.line, span.column) if span else (0, 0)
        return (self.place.file, line, column, self.code, self.message)

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}[{self.code}]: {self.message}"


class CardgenError(Exception):
    """Error that the user can fix.

    Every other exception is a bug in cardgen, unless it comes from the operating system.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=Diagnostic.sort_key))
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[CardgenError], tuple[Diagnostic, ...]]:
        """Pickle the diagnostics instead of their text."""
        return type(self), self.diagnostics

    @property
    def is_usage_error(self) -> bool:
        """Whether only options and arguments of a command are wrong."""
        return bool(self.diagnostics) and all(each.place.is_argument for each in self.diagnostics)


def stop_on_errors(diagnostics: Iterable[Diagnostic]) -> None:
    """Raise CardgenError with all diagnostics if any is an error."""
    collected = tuple(diagnostics)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in collected):
        raise CardgenError(*collected)


# Findings in more places than this are shown once, with as many places.
MAX_SHOWN_PLACES = 3
_DIGITS = "0123456789"
# The value in a message about a cell, and what follows it.
_VALUE = re.compile(r"(?:, not |(?<= the date )|(?<= the time )|(?<= the number )).*", re.DOTALL)
# The card that a message about a cell names, as in "'text' of 'Ash' contains".
_OWNER = re.compile(r"^('[\w.]+'|a text) of '[^']*'")
_Finding = TypeVar("_Finding")


@dataclass(frozen=True, slots=True)
class Group(Generic[_Finding]):
    """A finding at its first place, and its other places."""

    finding: _Finding
    other_places: tuple[Place, ...] = ()

    @property
    def next_places(self) -> tuple[Place, ...]:
        """The places shown after the first."""
        return () if self.cells else self.other_places[: MAX_SHOWN_PLACES - 1]

    @property
    def cells(self) -> str:
        """The other places if all are cells of one sheet, such as 'C4:C9, C12', or ''."""
        if not self.other_places or not all(place.is_cell for place in self.other_places):
            return ""
        names = [place.locator.rpartition(":") for place in self.other_places]
        if len({(place.file, sheet) for place, (sheet, _, _) in zip(self.other_places, names, strict=True)}) > 1:
            return ""
        runs: list[list[str]] = []
        for (_, _, name), place in zip(names, self.other_places, strict=True):
            row = place.span.line if place.span else 0
            if runs and name == f"{name.rstrip(_DIGITS)}{row}" and runs[-1][-1] == f"{name.rstrip(_DIGITS)}{row - 1}":
                runs[-1].append(name)
            else:
                runs.append([name])
        return ", ".join(run[0] if len(run) == 1 else f"{run[0]}:{run[-1]}" for run in runs)

    @property
    def remainder(self) -> str:
        """The count of hidden places: 'and 688 more places' or ''."""
        count = 0 if self.cells else len(self.other_places) - len(self.next_places)
        return f"and {count:,} more {'place' if count == 1 else 'places'}" if count else ""

    @property
    def also(self) -> str:
        """The next places and the count on one line, or ''."""
        places = self.cells or f"{', '.join(map(str, self.next_places))} {self.remainder}"
        return f"also {places}" if self.other_places else ""


def group_alike(findings: Iterable[_Finding], diagnostic_of: Callable[[_Finding], Diagnostic]) -> list[Group[_Finding]]:
    """Group the findings with the same code and message in more than three places, in the order of first places.

    Those of cells in one column are alike even if the values there differ.
    """
    by_message: dict[tuple[str, ...], list[_Finding]] = {}
    for one in findings:
        by_message.setdefault(_kind_of(diagnostic_of(one)), []).append(one)
    groups: list[Group[_Finding]] = []
    for first, *others in by_message.values():
        if len(others) < MAX_SHOWN_PLACES:
            groups += map(Group, (first, *others))
        else:
            groups.append(Group(first, tuple(diagnostic_of(one).place for one in others)))
    return groups


def _kind_of(diagnostic: Diagnostic) -> tuple[str, ...]:
    """Return what alike findings have in common."""
    place = diagnostic.place
    if not place.is_cell:
        return diagnostic.code, diagnostic.message
    message = _OWNER.sub(r"\1", _VALUE.sub("", diagnostic.message), count=1)
    return diagnostic.code, message, place.file, place.locator.rstrip(_DIGITS)


def format_group(diagnostic: Diagnostic, group: Group[Any], *, color: bool = False, lists_all: str = "") -> str:
    """Format the diagnostic of a group with its next places; `lists_all` is the option that shows every place."""
    related = (*diagnostic.related, *((place, "also here") for place in group.next_places))
    text = format_diagnostic(diagnostic._replace(related=related), color=color)
    if group.cells:
        return f"{text}\n  also in {group.cells}"
    more = f" ({lists_all} lists them)" if lists_all else ""
    return f"{text}\n  {group.remainder}{more}" if group.remainder else text


_BOLD, _FRAME, _ADVICE = "1", "1;34", "1;36"
_SEVERITIES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}


def paint(text: str, style: str) -> str:
    """Return a text with the style of an ANSI terminal, such as '1;31' for bold red."""
    return f"\x1b[{style}m{text}\x1b[0m" if text else text


def plain(text: str, style: str) -> str:
    """Return a text as it is."""
    return text


def format_headline(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """Return place, severity, code, and message on one line, with escapes for control characters."""
    draw = paint if color else plain
    severity = draw(f"{diagnostic.severity}[{escape_controls(diagnostic.code)}]", _SEVERITIES[diagnostic.severity])
    return f"{draw(str(diagnostic.place), _BOLD)}: {severity}: {escape_controls(_cut(diagnostic.message))}"


def format_diagnostic(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """Format a diagnostic with its source line and a caret.

    Control characters are replaced, because they could overwrite what the terminal shows. With `color`, severity,
    places, and carets have the colors of an ANSI terminal.
    """
    draw, style = paint if color else plain, _SEVERITIES[diagnostic.severity]
    headline = format_headline(diagnostic._replace(message=_printable(diagnostic.message)), color=color)
    lines = [headline, *_caret_lines(diagnostic.place, draw, style)]
    for other, label in diagnostic.related:
        lines.append(f"  {draw(_printable(str(other)), _BOLD)}: {_printable(label)}")
        lines.extend(_caret_lines(other, draw, _FRAME))
    if diagnostic.help:
        lines.append(f"  {draw('help', _ADVICE)}: {_printable(diagnostic.help)}")
    return "\n".join(lines)


# A message may quote a name or a value that is as long as its file.
_LONGEST_MESSAGE = 4_000


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"


def _printable(text: str) -> str:
    return _CONTROL.sub("\ufffd", _cut(text))


def _caret_lines(place: Place, draw: Callable[[str, str], str], style: str) -> list[str]:
    if place.span is None or not place.source_line:
        return []
    number = str(place.span.line)
    gutter = " " * len(number)
    text = place.source_line.rstrip()
    start = place.span.column - 1
    end = place.span.end_column - 1 if place.span.end_line == place.span.line else len(text)
    text, start, end = _clip(text, start, max(start + 1, min(end, len(text))))
    lead = "".join("\t" if character == "\t" else " " for character in text[:start])
    bar, line = draw("|", _FRAME), draw(f"{number} |", _FRAME)
    carets = draw("^" * (end - start), style)
    return [f" {gutter} {bar}", f" {line} {_printable(text)}", f" {gutter} {bar} {lead}{carets}"]


def _clip(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Clip a long line around a place, with ellipses at the cuts.

    The place is clipped to the visible part.
    """
    if len(text) <= LONGEST_LINE:
        return text, start, end
    first = max(0, min(start - _CONTEXT, len(text) - LONGEST_LINE))
    last = min(len(text), first + LONGEST_LINE)
    before, after = ("…" if first else ""), ("…" if last < len(text) else "")
    shift = len(before) - first
    return f"{before}{text[first:last]}{after}", start + shift, min(end, last) + shift


# Ids derived from names.

MAX_NAME_LENGTH = 80


# Latin letters other than a to z with a mark.
_LATIN = str.maketrans(
    {"ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "ı": "i"}
    | {"ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th"}
)


def slugify(name: str) -> str:
    """Derive an id from a name: 'Warp Channeler' gives 'warp-channeler'.

    A name without letters from a to z and digits gives 'card-' and a hash, the same on every machine.
    """
    normal = unicodedata.normalize("NFC", name)
    return plain_words(name) or f"card-{hashlib.sha256(normal.encode('utf-8', 'replace')).hexdigest()[:8]}"


def plain_words(name: str) -> str:
    """Return the letters from a to z and digits of a name, with hyphens for everything between them; may be ''."""
    plain = unicodedata.normalize("NFKD", name.translate(_LATIN)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:MAX_NAME_LENGTH].strip("-")


# Unknown names, and suggestions for what the author probably meant.

CLOSE_CUTOFF = 0.7
VERY_CLOSE_CUTOFF = 0.8
# Shorter parts, such as 'of' and 'the', are ignored.
MIN_PART_LENGTH = 4
MAX_SUGGESTIONS = 3


class _Patience:
    """How much may still be compared for suggestions: characters of unknown words times those of known ones.

    A file with thousands of unknown names in a project with thousands of names would otherwise take hours. The most
    takes a few seconds; what comes back in a second takes a tenth of one.
    """

    MOST, PER_SECOND = 50_000_000, 1_000_000

    def __init__(self) -> None:
        self._left, self._time = float(self.MOST), monotonic()

    @property
    def is_over(self) -> bool:
        """Return whether nothing more should be compared now."""
        now = monotonic()
        self._left = min(self.MOST, self._left + (now - self._time) * self.PER_SECOND)
        self._time = now
        return self._left <= 0

    def spend(self, word: str, known: Iterable[str]) -> None:
        """Count a comparison."""
        self._left -= len(word) * sum(map(len, known))


_PATIENCE = _Patience()


def closest(word: str, known: Iterable[str], cutoff: float = CLOSE_CUTOFF) -> str:
    """Return the known word most similar to `word`, ignoring case, or ''; also '' if too much was compared lately."""
    from difflib import get_close_matches  # imported here because only errors need it

    if _PATIENCE.is_over:
        return ""
    folded = {other.casefold(): other for other in known}
    _PATIENCE.spend(word, folded)
    matches = get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[matches[0]] if matches else ""


def did_you_mean(word: str, known: Iterable[str], now: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a suffix such as '; did you mean 'x'?', or ''; what is called otherwise `now` is suggested as that.

    If no known word is very similar, suggest those that share most of its parts: 'turn_start' for 'start_of_turn'.
    """
    if _PATIENCE.is_over:
        return ""
    names = tuple(known)
    best = closest(word, names, VERY_CLOSE_CUTOFF)
    suggestions = (best,) if best else _most_shared_parts(word, names) or tuple(filter(None, [closest(word, names)]))
    words = dict.fromkeys(now.get(each, each) for each in suggestions)
    return f"; did you mean {_quote_words(words)}?" if words else ""


_TYPED = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " "),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a"), "'"),
    **dict.fromkeys(map(ord, "\u2044\u2215"), "/"),
}


def as_typed(text: str) -> str:
    """Return a text with the hyphens, spaces, and quotation marks of a keyboard in place of those of typographers."""
    return text.translate(_TYPED)


def separate_advice(text: str, known: Collection[str]) -> str:
    """Return how to write the known words that a text of one item lists, or ''."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) < 2 or not all(part in known or slugify(part) in known for part in parts):
        return ""
    return f"separate them: '{'; '.join(parts)}' in a table, [{', '.join(parts)}] in YAML"


def _quote_words(words: Iterable[str]) -> str:
    return join_words([f"'{word}'" for word in words])


def _most_shared_parts(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known words that share the most letters by whole parts.

    Empty if they share less than half of the letters of `word`, or if there are too many of them.
    """
    parts = _parts(word)
    shared = {
        name: _letter_count(part for part in parts & _parts(name) if len(part) >= MIN_PART_LENGTH) for name in known
    }
    most = max(shared.values(), default=0)
    best = tuple(name for name, letters in shared.items() if letters == most)
    return best if 2 * most >= max(_letter_count(parts), 1) and len(best) <= MAX_SUGGESTIONS else ()


def _parts(word: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", word.casefold()))


def _letter_count(parts: Iterable[str]) -> int:
    return sum(map(len, parts))


def join_words(words: Iterable[str], conjunction: str = "or", *, serial_comma: bool = True) -> str:
    """Join words as a series, such as 'a, b, or c'."""
    *most, final = words
    comma = "," if serial_comma and len(most) > 1 else ""
    return f"{', '.join(most)}{comma} {conjunction} {final}" if most else final


class UnknownName(NamedTuple):
    """Failed lookup of a name.

    `what` is the kind of thing, and `known` are the names that exist.
    """

    what: str
    name: str
    known: tuple[str, ...]
    path: tuple[str, ...] = ()

    @property
    def closest(self) -> str:
        """The known name that was probably meant, or ''; also the only one that begins with the name."""
        longer = [each for each in self.known if each.startswith(f"{self.name}-")]
        return closest(self.name, self.known) or (longer[0] if len(longer) == 1 else "")

    @property
    def help(self) -> str:
        """Suggestion of what to write instead."""
        return f"did you mean '{self.closest}'?" if self.closest else f"available: {', '.join(self.known)}"

    def __str__(self) -> str:
        return f"unknown {self.what} '{self.name}'"
