"""The composer: data of a YAML text with the position of each node, and positions in texts."""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, cached_property, lru_cache
from typing import NamedTuple, NoReturn, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from cardgen.diagnostic import Code, Diagnostic, Place, Span
from cardgen.units import shorten

# Unprintable characters, and lines and columns of a text.

MAX_SOURCE_LINE = 1000


class LineIndex:
    """Line index of a file's text, built on demand.

    Columns count code points. Lines end at a line feed; the document reader normalizes all other line breaks.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        starts, end = [0], self.text.find("\n")
        while end >= 0:
            starts.append(end + 1)
            end = self.text.find("\n", end + 1)
        return starts

    def line_number(self, index: int) -> int:
        """Return the line of the character at `index`, counted from 1."""
        return bisect_right(self._starts, index)

    def place(self, start: int, end: int) -> Place:
        """Return the place of the characters from `start` to `end` (exclusive)."""
        first, last = self.line_number(start), self.line_number(end)
        line_start = self._starts[first - 1]
        span = Span(first, start - line_start + 1, last, end - self._starts[last - 1] + 1)
        return Place(self.file, span, self._source_line(first))

    def _source_line(self, line: int) -> str:
        """Return the text of a line, or '' for very long lines.

        Each diagnostic keeps a copy of its line, so long lines would fill the memory.
        """
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end] if end - start <= MAX_SOURCE_LINE else ""


REPLACEMENT = "\ufffd"


@cache
def _unprintable_pattern() -> re.Pattern[str]:
    """Return the pattern of characters that YAML 1.2 calls unprintable.

    It includes the three line breaks that YAML 1.1 recognizes and YAML 1.2 does not. It is compiled on demand:
    compiling takes longer than reading a card, and few files need it.
    """
    return re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def find_unprintable(text: str) -> re.Match[str] | None:
    """Return the match of the first unprintable character, or None."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # stricter than YAML, and very fast
        return None
    return _unprintable_pattern().search(text)


def replace_unprintable(text: str) -> tuple[str, int]:
    """Replace unprintable characters; return the text and their number."""
    return _unprintable_pattern().subn(REPLACEMENT, text)


def describe_character(char: str) -> str:
    """Describe an unprintable character by code point and name."""
    name = unicodedata.name(char, "") or {"\0": "NUL", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}.get(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()


# Positions of values, comments, and substrings in the text of a file.

Scalar: TypeAlias = str | int | float | bool | None
Data: TypeAlias = Scalar | list["Data"] | dict[str, "Data"]
KeyPath: TypeAlias = tuple[str | int, ...]
CharRange: TypeAlias = tuple[int, int]


class Node(NamedTuple):
    """Character ranges of a value and its key.

    A list item is its own key.
    """

    value_range: CharRange
    key_range: CharRange
    children: dict[str, Node] | list[Node] | None = None

    def child(self, step: str | int) -> Node | None:
        """Return the child node at `step`, or None."""
        children = self.children
        if isinstance(children, dict):
            return children.get(step) if isinstance(step, str) else None
        if isinstance(children, list) and isinstance(step, int):
            return children[step] if 0 <= step < len(children) else None
        return None


def extent(node: Node) -> CharRange:
    """Return the range from the key of a value to the end of everything in it."""
    children = node.children.values() if isinstance(node.children, dict) else node.children or ()
    ends = [node.key_range[1], node.value_range[1], *(extent(child)[1] for child in children)]
    return min(node.key_range[0], node.value_range[0]), max(ends)


_COMMENT = re.compile(r"(?<!\S)#(.*)")


def find_comments(text: str, root: Node | None) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each comment, without '#' and spaces."""
    if "#" not in text:
        return
    ranges = sorted(_scalar_ranges(text, root))
    starts = [start for start, _ in ranges]
    for match in _COMMENT.finditer(text):
        index = bisect_right(starts, match.start()) - 1
        if index < 0 or ranges[index][1] <= match.start():
            yield match.start(), match[1].strip()


def _scalar_ranges(text: str, node: Node | None) -> Iterator[CharRange]:
    """Yield the ranges of all keys and scalars."""
    if node is None:
        return
    if node.children is None:
        yield _block_text_range(text, *node.value_range)
    elif isinstance(node.children, dict):
        for child in node.children.values():
            yield child.key_range
            yield from _scalar_ranges(text, child)
    else:
        for child in node.children:
            yield from _scalar_ranges(text, child)


def _block_text_range(text: str, start: int, end: int) -> CharRange:
    """Return the range of a scalar without its '|' or '>' line.

    That line may end with a comment.
    """
    if text[start : start + 1] in ("|", ">"):
        line_end = text.find("\n", start, end)
        return (line_end, end) if line_end >= 0 else (end, end)
    return start, end


_NON_SPACE = re.compile(r"\S")


def locate_substring(source: str, char_range: CharRange, value: str, start: int, end: int) -> CharRange | None:
    """Return the range in `source` of `value[start:end]`.

    `char_range` is the range of the whole value. Parsing changes only the spaces of a text, so the other characters are
    counted. None if they do not match, for example because of an escape, and if the substring is blank.
    """
    there, here = _matching_characters(source, char_range, value)
    if isinstance(there, range):
        return there.start + start, there.start + end
    first, behind = bisect_left(here, start), bisect_left(here, end)
    return (there[first], there[behind - 1] + 1) if first < behind else None


@lru_cache(maxsize=4)  # The findings in a text come one after the other, and a long text can have many.
def _matching_characters(source: str, char_range: CharRange, value: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return the indexes of the characters of a value in the source and in itself, without spaces; none if they differ.

    On one line, perhaps in quotes, there are no other spaces, and so the indexes are ranges.
    """
    if source.find("\n", *char_range) < 0:
        first = source.find(value, *char_range)
        return (range(first, first + len(value)), range(len(value))) if first >= 0 else ((), ())
    there = [match.start() for match in _NON_SPACE.finditer(source, *_inner_range(source, char_range))]
    here = [match.start() for match in _NON_SPACE.finditer(value)]
    if len(there) != len(here) or any(source[place] != value[at] for place, at in zip(there, here, strict=True)):
        return (), ()
    return there, here


def _inner_range(source: str, char_range: CharRange) -> CharRange:
    """Return the range without quotes or the line of '|' and '>'."""
    start, end = char_range
    if source[start] in "|>":
        return source.index("\n", start), end
    return (start + 1, end - 1) if source[start] in "\"'" else char_range


# Problems in a text, before they have a place.


class Problem(NamedTuple):
    """Problem with the characters from `start` to `end` (exclusive).

    `first_range` is the range of the first definition if this is a duplicate.
    """

    code: Code
    message: str
    start: int
    end: int
    help: str = ""
    first_range: tuple[int, int] | None = None

    def to_diagnostic(self, line_index: LineIndex) -> Diagnostic:
        """Return the diagnostic, with the problem's place."""
        related = ((line_index.place(*self.first_range), "first defined here"),) if self.first_range else ()
        return Diagnostic(self.code, self.message, line_index.place(self.start, self.end), self.help, related=related)


class FatalProblem(Exception):  # noqa: N818 - not an error of the program: reading stops
    """Problem that stops the reading of a text."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


# Resolve plain scalars by YAML 1.2, and detect disagreement with YAML 1.1.

# Larger whole numbers are not exact in every program that reads the file.
MAX_NUMBER = 2**53
MAX_CACHED_LENGTH = 60


class Misread(Enum):
    """YAML 1.1's value of a text that it resolves but cannot construct.

    An example is the date 2024-13-45.
    """

    MISREAD = "an error"


class PlainScalar(NamedTuple):
    """Values of a plain scalar by YAML 1.2 (`value`) and 1.1 (`legacy`).

    `is_valid` is False if the scalar is ambiguous or out of range.
    """

    value: Scalar
    legacy: object
    is_valid: bool = True

    @property
    def is_ambiguous(self) -> bool:
        """True if the two versions differ; two values of .nan do not."""
        same_type = type(self.value) is type(self.legacy)
        return not same_type or (self.value != self.legacy and self.value == self.value)

    @property
    def is_out_of_range(self) -> bool:
        """True for infinities, .nan, and numbers beyond MAX_NUMBER."""
        return isinstance(self.value, int | float) and not abs(self.value) <= MAX_NUMBER


_CONSTANTS: Mapping[str, Scalar] = {"": None, "~": None} | {
    spelling: value
    for word, value in {"null": None, "true": True, "false": False}.items()
    for spelling in (word, word.capitalize(), word.upper())
}
_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], int | float]], ...] = (
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text, 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text, 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), lambda text: float(text.replace(".", ""))),
)
_NUMBER_STARTS = frozenset("+-.0123456789")
_LEGACY_TAGS = yaml.SafeLoader.yaml_implicit_resolvers
# Characters of a number to the base 60, or of a date, of YAML 1.1; longer numbers would take quadratic time.
_LONGEST_LEGACY = 100


def resolve_plain(text: str) -> PlainScalar:
    """Resolve a plain scalar by both versions of YAML."""
    if text[:1] not in _LEGACY_TAGS:  # Everything but text begins with one of these characters.
        return PlainScalar(text, text)
    return _resolve_cached(text) if len(text) <= MAX_CACHED_LENGTH else _resolve(text)


def _resolve(text: str) -> PlainScalar:
    scalar = PlainScalar(_core_value(text), _legacy_value(text))
    return scalar._replace(is_valid=not (scalar.is_ambiguous or scalar.is_out_of_range))


_resolve_cached = lru_cache(maxsize=8192)(_resolve)


def _core_value(text: str) -> Scalar:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMBER_STARTS:
        for pattern, number in _NUMBERS:
            if pattern.fullmatch(text):
                return _convert(number, text)
    return text


def _convert(number: Callable[[str], int | float], text: str) -> int | float:
    try:
        return number(text)
    except ValueError:  # Python limits whole numbers to a few thousand digits.
        return float("inf")


def _legacy_value(text: str) -> object:
    for tag, pattern in _LEGACY_TAGS.get(text[:1], ()):
        if pattern.match(text):
            return _construct(tag, text)
    return text


def _construct(tag: str, text: str) -> object:
    if ":" in text and len(text) > _LONGEST_LEGACY:
        return Misread.MISREAD
    try:
        value = yaml.SafeLoader("").construct_object(yaml.ScalarNode(tag, text))
    except (yaml.YAMLError, ValueError, OverflowError):
        return Misread.MISREAD
    return Misread.MISREAD if isinstance(value, int) and abs(value) > sys.float_info.max else value


def explain_ambiguity(text: str, scalar: PlainScalar) -> tuple[str, str]:
    """Return the message and the help for an ambiguous scalar."""
    value, legacy = _describe(scalar.value), _describe(scalar.legacy)
    numbers = {n for n in (scalar.value, scalar.legacy) if isinstance(n, int | float) and not isinstance(n, bool)}
    plain = " or ".join(f"{number:g}" for number in sorted(numbers))
    advice = f"put '{text}' in quotes" + (f", or write the number as {plain}" if plain else "")
    if ":" in text and plain:
        advice = (
            f"put '{text}' in quotes for the text, or write a plain number, such as {text.partition(':')[0]} or {plain}"
        )
    if isinstance(scalar.legacy, bool):
        advice = f"write {legacy} for the boolean, or put '{text}' in quotes for the text"
    return f"{text} is ambiguous: {value} in YAML 1.2, but {legacy} in YAML 1.1", advice


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value:.15g}"
    if isinstance(value, str):
        return "text"
    return value.value if isinstance(value, Misread) else "a date"


# Events of the YAML parser, and plain messages for its syntax errors.


class Explanation(NamedTuple):
    """Message and help for a syntax error.

    `at_start` places it at the start of the construct instead of where the parser stopped.
    """

    message: str
    help: str = ""
    at_start: bool = False


_TAB = Explanation("tab used where YAML requires spaces", "indent with spaces only")
_COLON = Explanation(
    "unexpected colon; no key is allowed here", "put the text in quotes, or align the key with its neighbors"
)
_NO_COLON = Explanation(
    "key without a colon",
    "write 'key: value', with a space after the colon; to continue the text above, indent it more",
    at_start=True,
)
_INDENT = Explanation("this does not match the lines above", "indent all keys of a map, and all '-' of a list, equally")
_REST = Explanation(
    "unexpected text after the value", "put the whole value in quotes; in single quotes, write '' for '"
)
# A text without quotation marks in a map in braces, before a colon and after it.
_PLAIN_VALUE = re.compile(r"[{,]\s*(?P<key>[\w.-]+): +(?P<value>[^\s,{}\[\]'\"“”„‘‚«»#&*|>!%@][^,{}\[\]\"#]*)\Z")
_PLAIN_REST = re.compile(r"(?:(?!,\s*[\w.-]+:\s)[^{}\[\]\"#\n])*")
_NEXT_KEY = re.compile(r"[\w-]+:(?=\s)")
_ITEM = Explanation("unexpected list item", "start it on its own line, as '- item'")
_QUOTE = Explanation("unclosed quotation mark", "add the closing quotation mark", at_start=True)
_MARKER = Explanation("unclosed quotation mark before '---' or '...'", "add the closing quotation mark", at_start=True)
_ESCAPE = Explanation("unknown escape sequence", r"write \\ for a backslash, or use single quotes")
_LIST = Explanation("list is missing a comma or its closing ']'", "write [one, two]", at_start=True)
_MAP = Explanation("map is missing a comma or its closing '}'", "write {key: value, other: value}", at_start=True)
# What looks like a space where a line begins, as it is copied from web pages.
_ODD_SPACE = re.compile(r" *([\u00a0\u2000-\u200b\u202f\u3000])")
# A value that begins with a quotation mark of word processors.
_CURLY = re.compile(r"[:,\[{-] *([“”„‘‚«»])")
_QUOTE_BRACKETS = "put texts with any of { } [ ] in quotes"
_START = Explanation("unquoted text cannot start with this character", "put the text in quotes", at_start=True)
_NOTHING = Explanation("missing value", "write a value, or put the text in quotes")
_BLOCK = Explanation(
    "text after '|' or '>' must start on the next line", "move the text to the next line and indent it"
)
_DIRECTIVE = Explanation("YAML directives are not supported", "put the text in quotes")

# Parts of messages from libyaml and PyYAML; more specific ones come first.
_EXPLANATIONS: tuple[tuple[str, Explanation], ...] = (
    ("found a tab character", _TAB),
    ("'\\t'", _TAB),
    ("mapping values are not allowed", _COLON),
    ("mapping keys are not allowed", _COLON),
    ("sequence entries are not allowed", _ITEM),
    ("could not find expected ':'", _NO_COLON),
    ("found unexpected end of stream", _QUOTE),
    ("found unexpected document", _MARKER),
    ("unknown escape", _ESCAPE),
    ("hexdecimal", _ESCAPE),
    ("hexadecimal", _ESCAPE),
    ("escape code", _ESCAPE),
    ("',' or ']'", _LIST),
    ("',' or '}'", _MAP),
    ("while scanning a block scalar", _BLOCK),
    ("while parsing a block mapping", _INDENT),
    ("while parsing a block collection", _INDENT),
    ("cannot start any token", _START),
    ("node content", _NOTHING),
    ("while scanning an a", _START),
    ("tag", _START),
    ("directive", _DIRECTIVE),
    ("YAML document", _DIRECTIVE),
    ("<document start>", _REST),
)


def syntax_problem(error: yaml.MarkedYAMLError, text: str) -> Problem:
    """Convert a parser's error in `text` to a problem."""
    at = _mark_index(error.problem_mark, len(text))
    if "nesting depth" in f"{error.problem}":  # newer parsers have a limit of their own and look ahead
        return Problem(Code.TOO_DEEP, TOO_DEEP, at, min(at + 1, len(text)))
    for line in (text.rfind("\n", 0, at) + 1, text.rfind("\n", 0, max(0, text.rfind("\n", 0, at))) + 1):
        if space := _ODD_SPACE.match(text, line):
            message = f"{unicodedata.name(space[1]).lower()} (U+{ord(space[1]):04X}) in place of a space"
            return Problem(Code.SYNTAX, message, *space.span(1), "indent with spaces only")
    explanation = _explain(error, text, at)
    if explanation.at_start:
        start = _mark_index(error.context_mark, at)
        return Problem(Code.SYNTAX, explanation.message, start, _line_end(text, start), explanation.help)
    return Problem(Code.SYNTAX, explanation.message, at, min(at + 1, len(text)), explanation.help)


def _with_quotes(text: str, at: int) -> str:
    """Return how to write a text of a map in braces that has a colon, at which it is taken for a key; or ''."""
    start = text.rfind("\n", 0, at) + 1
    before = _PLAIN_VALUE.search(text, start, at) if text[at : at + 1] == ":" else None
    if before is None:
        return ""
    word = before["value"].rpartition(" ")[2]
    if before["value"][0].isdigit() or re.search(rf"[{{,\n]\s*(?:- )?{re.escape(word)}:", text):
        return ""  # This is a key, and the comma before it is missing.
    after = _PLAIN_REST.match(text, at)
    value = before["value"] + (after[0].rstrip(" ,") if after else "")
    return f'put the text in quotes: {before["key"]}: "{value}"'


def _explain(error: yaml.MarkedYAMLError, text: str, at: int) -> Explanation:
    parser_message = f"{error.context}: {error.problem}"
    explanation = next((words for part, words in _EXPLANATIONS if part in parser_message), None)
    if explanation is _START and text[at : at + 1] == "\t":
        return _TAB
    if explanation is _INDENT and text[text.rfind("\n", 0, at) + 1 : at].strip(" -"):
        return _REST._replace(help="begin a new line before the next key") if _NEXT_KEY.match(text, at) else _REST
    if explanation in (_LIST, _MAP) and (mark := _unclosed(error, text, at)):
        return explanation._replace(help=f"write '{mark}' at the end of this line")
    if explanation in (_LIST, _MAP) and (mark := _lacking(error, text, at)):
        return explanation._replace(help=f"write '{mark}' before '{text[at]}'")
    if explanation is _MAP and (quoted := _with_quotes(text, at)):
        return explanation._replace(help=quoted)
    if explanation in (_LIST, _MAP) and _is_in_plain_text(text, at):
        return explanation._replace(help=_QUOTE_BRACKETS)
    line = text[text.rfind("\n", 0, at) + 1 : _line_end(text, at)]
    if explanation and (quote := _CURLY.search(line)):
        return explanation._replace(help=f"write straight quotes instead of {quote[1]}, which is a letter to YAML")
    return explanation or Explanation(f"invalid YAML: {error.problem}")


def _unclosed(error: yaml.MarkedYAMLError, text: str, at: int) -> str:
    """Return the bracket that the line of a list or map lacks, if the next line begins an item or a key."""
    start = _mark_index(error.context_mark, at)
    end = _line_end(text, start)
    mark = "}" if text[start : start + 1] == "{" else "]"
    opened, following = text[start:end], text[end : _line_end(text, end + 1)].lstrip()
    is_new = following.startswith("- ") or ": " in following.partition("{")[0] or following.endswith(":")
    lacks = opened.count(text[start : start + 1]) > opened.count(mark) and not opened.rstrip().endswith((",", "{", "["))
    return mark if lacks and is_new and at > end else ""


def _lacking(error: yaml.MarkedYAMLError, text: str, at: int) -> str:
    """Return the bracket that is missing before one of another kind, as in '{keywords: [fast}'."""
    opened = text[_mark_index(error.context_mark, at) : at]
    for mark, closing, other, stop in (("[", "]", "{", "}"), ("{", "}", "[", "]")):
        if opened.startswith(mark) and text[at : at + 1] == stop and other not in opened:
            return closing
    return ""


def _is_in_plain_text(text: str, at: int) -> bool:
    """Return whether a bracket interrupts an unquoted text, as in 'Re-roll {wind}'."""
    before = text[:at].rstrip(" ")[-1:]
    return text[at : at + 1] in tuple("{}[]") and before not in ("", *"{}[],:'\"\n")


def _mark_index(mark: yaml.Mark | None, otherwise: int) -> int:
    return mark.index if mark else otherwise


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


ParserClass: TypeAlias = type[yaml.CSafeLoader] | type[yaml.SafeLoader]

# Both parsers give the same events; without libyaml, reading takes about twenty times as long.
DEFAULT_PARSER: ParserClass = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def parse_events(text: str, parser_class: ParserClass | None = None) -> Iterator[Event]:
    """Yield the parser's events of `text`.

    Raises FatalProblem at the first syntax error.
    """
    stream = (parser_class or DEFAULT_PARSER)(text)
    try:
        while (event := stream.get_event()) is not None:
            yield event
    except yaml.MarkedYAMLError as error:
        raise FatalProblem(syntax_problem(error, text)) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML's pure Python parser fails on some escapes.
        at = min(getattr(stream, "index", 0), max(len(text) - 1, 0))
        raise FatalProblem(Problem(Code.SYNTAX, "invalid YAML", at, at + 1)) from error


# The keys with which a card begins.
_NAMES = ("kind", "name")


def _one_of(name: str, first: Data, second: Data) -> str:
    """Return what to do about a key that is there twice; values are not lost if both are lists or maps."""
    if isinstance(first, dict) and isinstance(second, dict):
        return f"write the keys of both below one '{name}'"
    if not (isinstance(first, list) and isinstance(second, list)):
        return "remove one of them"
    items = ", ".join(map(str, [*first, *(each for each in second if each not in first)]))
    are_words = all(isinstance(each, str | int) for each in (*first, *second)) and len(items) < _LONGEST_ADVICE
    return f"write one list: {name}: [{items}]" if are_words else f"write the items of both below one '{name}'"


_TWO_CARDS = "remove one of them; several cards of a file are a list under 'cards', each with '- ' before its first key"
MAX_DEPTH = 32
TOO_DEEP = f"values are nested more than {MAX_DEPTH} levels deep"
MAX_VALUES = 50_000
MAX_PROBLEMS = 1_000


class Composition(NamedTuple):
    """Data and positions of one document, and its problems.

    Data and root are None if the document is empty or reading stopped early.
    """

    data: Data
    root: Node | None
    problems: list[Problem]


def compose(text: str, events: Iterator[Event]) -> Composition:
    """Compose the `events` of a `text` into a document and its problems."""
    composer = _Composer(text, events)
    try:
        data, root = composer.compose_document()
    except FatalProblem as end:
        return Composition(None, None, [*composer.problems, end.problem])
    return Composition(data, root, composer.problems)


# Digits before the comma of a decimal number, as far as they are looked for.
_DECIMAL_COMMA, _LONGEST, _LONGEST_ADVICE = re.compile(r"\d,\s*$"), 4, 80


class _Composer:
    def __init__(self, text: str, events: Iterator[Event]) -> None:
        self.text = text
        self.events = events
        self.problems: list[Problem] = []
        self.values = 0

    def compose_document(self) -> tuple[Data, Node | None]:
        next(self.events)  # the stream's start
        start = next(self.events)
        if isinstance(start, StreamEndEvent):
            return None, None
        if isinstance(start, DocumentStartEvent) and (start.version or start.tags):
            self._report(
                Code.TAG, "YAML directives are not supported", event_range(start), "remove lines starting with '%'"
            )
        data, root = self._compose_value(next(self.events), 0)
        next(self.events)  # the document's end
        following = next(self.events)
        if isinstance(following, DocumentStartEvent):
            advice = "move it to its own file, or put all cards in one list under 'cards:'"
            self._stop(
                Code.SEVERAL_DOCUMENTS, "the file has more than one YAML document", event_range(following), advice
            )
        return data, root

    def _compose_value(self, event: Event, depth: int, key: CharRange | None = None) -> tuple[Data, Node]:
        self.values += 1
        if self.values > MAX_VALUES:
            self._stop(
                Code.TOO_MUCH, f"the file has more than {MAX_VALUES:,} values", event_range(event), "split the file"
            )
        if isinstance(event, ScalarEvent):
            self._refuse_properties(event)
            # A scalar's range, without line breaks after '|' or '>' text.
            start, end = event_range(event)
            char_range = (
                (start, start + len(self.text[start:end].rstrip())) if event.style in ("|", ">") else (start, end)
            )
            return self._compose_scalar(event, char_range), Node(char_range, key or char_range)
        if isinstance(event, CollectionStartEvent):
            self._refuse_properties(event)
            if depth == MAX_DEPTH:
                self._stop(Code.TOO_DEEP, TOO_DEEP, event_range(event))
            compose_collection = self._compose_map if isinstance(event, MappingStartEvent) else self._compose_list
            return compose_collection(event, depth + 1, key)
        if isinstance(event, AliasEvent):
            self._report(
                Code.ANCHOR, f"alias *{event.anchor} is not supported", event_range(event), "write the value in full"
            )
        return None, Node(event_range(event), key or event_range(event))

    def _compose_list(self, start: CollectionStartEvent, depth: int, key: CharRange | None) -> tuple[Data, Node]:
        data: list[Data] = []
        nodes: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            value, node = self._compose_value(event, depth)
            data.append(value)
            nodes.append(node)
        dash = event_range(start)
        char_range = self._collection_range(
            start, event, (dash[0], dash[0] + 1), nodes[0].value_range if nodes else dash
        )
        return data, Node(char_range, key or char_range, nodes)

    def _compose_map(self, start: CollectionStartEvent, depth: int, key: CharRange | None) -> tuple[Data, Node]:
        data: dict[str, Data] = {}
        nodes: dict[str, Node] = {}
        first: Node | None = None
        repeated: str | None = None
        while not isinstance(event := next(self.events), MappingEndEvent):
            name, name_range = self._compose_key(event, depth)
            value, node = self._compose_value(next(self.events), depth, name_range)
            first = first or node
            if name in nodes:
                repeated = repeated or name
                # A second card without a list repeats the keys of the first, which is one mistake.
                if depth > 1 or repeated not in _NAMES or name == repeated:
                    message = f"duplicate key '{shorten(name)}'"
                    advice = _TWO_CARDS if depth == 1 and name in _NAMES else _one_of(name, data.get(name), value)
                    self._report(Code.DUPLICATE_KEY, message, name_range, advice, nodes[name].key_range)
            elif name is not None:
                data[name] = value
                nodes[name] = node
        begin = event_range(start)
        char_range = self._collection_range(
            start, event, *((first.key_range, first.value_range) if first else (begin, begin))
        )
        return data, Node(char_range, key or char_range, nodes)

    def _compose_key(self, event: Event, depth: int) -> tuple[str | None, CharRange]:
        """Return the text and the range of a key.

        The text is None if the pair has to be skipped.
        """
        is_merge_key = isinstance(event, ScalarEvent) and event.value == "<<" and not event.style
        if is_merge_key:
            self._report(Code.MERGE_KEY, "merge key << is not supported", event_range(event), "write the keys in full")
            return None, event_range(event)
        problems = len(self.problems)
        value, node = self._compose_value(event, depth)
        if not isinstance(event, ScalarEvent):
            self._report(Code.KEY_NOT_TEXT, "keys must be text", node.value_range)
            return None, node.value_range
        if not isinstance(value, str) and len(self.problems) == problems:
            message = f"key {event.value} must be text; put it in quotes" if event.value else "missing key"
            start = node.value_range[0]
            is_decimal = event.value.isdigit() and _DECIMAL_COMMA.search(self.text[max(0, start - _LONGEST) : start])
            advice = "if it is part of a decimal number, write a point in place of the comma" if is_decimal else ""
            self._report(Code.KEY_NOT_TEXT, message, node.value_range, advice)
        return event.value, node.value_range

    def _compose_scalar(self, event: ScalarEvent, char_range: CharRange) -> Scalar:
        text = event.value
        if event.style:
            # The text itself was sanitized before; only escapes in double quotes can still produce such characters.
            match = find_unprintable(text) if event.style == '"' else None
            if match:
                message = f"escape sequence produces an unprintable character: {describe_character(match[0])}"
                self._report(Code.UNPRINTABLE, message, char_range, "remove it")
            return text
        scalar = resolve_plain(text)
        if scalar.is_valid:
            return scalar.value
        if scalar.is_out_of_range:
            advice = f"write a number between -{MAX_NUMBER} and {MAX_NUMBER}, or put the text in quotes"
            self._report(Code.NUMBER_OUT_OF_RANGE, f"number {shorten(text)} is out of range", char_range, advice)
            return text
        message, advice = explain_ambiguity(shorten(text), scalar)
        self._report(Code.AMBIGUOUS, message, char_range, advice)
        return scalar.value

    def _refuse_properties(self, event: ScalarEvent | CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._report(
                Code.ANCHOR, f"anchor &{event.anchor} is not supported", event_range(event), "write the value in full"
            )
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            advice = "remove it; put the value in quotes if it is text"
            self._report(Code.TAG, f"tag {tag} is not supported", event_range(event), advice)

    def _collection_range(self, start: CollectionStartEvent, end: Event, key: CharRange, value: CharRange) -> CharRange:
        """Return the range of a collection.

        In brackets, it is the whole collection; in block style, the first key or dash, and its value if that is on the
        same line.
        """
        begin = event_range(start)[0]
        if start.flow_style:
            return begin, event_range(end)[1]
        return begin, value[1] if "\n" not in self.text[begin : value[1]] else key[1]

    def _report(
        self, code: Code, message: str, char_range: CharRange, help_text: str = "", first_range: CharRange | None = None
    ) -> None:
        self.problems.append(Problem(code, message, *char_range, help_text, first_range))
        if len(self.problems) == MAX_PROBLEMS:
            self._stop(Code.TOO_MUCH, f"the file has more than {MAX_PROBLEMS:,} problems; reading stopped", char_range)

    def _stop(self, code: Code, message: str, char_range: CharRange, help_text: str = "") -> NoReturn:
        raise FatalProblem(Problem(code, message, *char_range, help_text))


def event_range(event: Event) -> CharRange:
    """Return the range of an event of the parser."""
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0), (end.index if end else 0)
