"""The YAML parser's complaints in our own words."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from cardgen.source.codes import Code
from cardgen.source.problem import Problem


class Wording(NamedTuple):
    """What is wrong and how to mend it; `opening` where the beginning of the construct is the place to look at."""

    message: str
    help: str = ""
    opening: bool = False


_TAB = Wording("a tab stands where YAML wants spaces", "indent with spaces only")
_COLON = Wording("a colon stands where no key can be", "put the text in quotes, or indent the key like those beside it")
_NO_COLON = Wording("a key without its colon", "write 'key: value', with a space behind the colon", opening=True)
_INDENT = Wording("this does not fit what stands above", "indent every key of a map, and every '-' of a list, alike")
_REST = Wording("something stands behind the value", "put the whole value in quotes; in single quotes write '' for '")
_ITEM = Wording("a list item cannot begin here", "begin it on a line of its own, as '- item'")
_QUOTE = Wording("the quotation mark that begins here is never closed", "close it", opening=True)
_MARKER = Wording("the quotation mark that begins here is not closed before '---' or '...'", "close it", opening=True)
_ESCAPE = Wording("no escape that YAML knows", r"write \\ for a backslash, or use single quotes")
_LIST = Wording("the list that begins here lacks a comma or its ']'", "write [one, two]", opening=True)
_MAP = Wording("the map that begins here lacks a comma or its '}'", "write {key: value, other: value}", opening=True)
_START = Wording("no unquoted text can begin with this character", "put the text in quotes", opening=True)
_NOTHING = Wording("a value is missing here", "write one, or put the text in quotes")
_BLOCK = Wording("a text after '|' or '>' begins on the next line", "put the text below it, indented")
_DIRECTIVE = Wording("directives are refused", "put the text in quotes")

# Parts of what libyaml and PyYAML say, the more telling ones first.
_WORDINGS: tuple[tuple[str, Wording], ...] = (
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


def problem(error: yaml.MarkedYAMLError, text: str) -> Problem:
    """What a parser's `error` in `text` means for the author."""
    at = _index(error.problem_mark, len(text))
    words = _wording(error, text, at)
    if words.opening:
        start = _index(error.context_mark, at)
        return Problem(Code.SYNTAX, words.message, start, _line_end(text, start), words.help)
    return Problem(Code.SYNTAX, words.message, at, min(at + 1, len(text)), words.help)


def _wording(error: yaml.MarkedYAMLError, text: str, at: int) -> Wording:
    said = f"{error.context}: {error.problem}"
    words = next((words for part, words in _WORDINGS if part in said), None)
    if words is _START and text[at : at + 1] == "\t":
        return _TAB
    if words is _INDENT and text[text.rfind("\n", 0, at) + 1 : at].strip(" -"):
        return _REST
    return words or Wording(f"this is not YAML: {error.problem}")


def _index(mark: yaml.Mark | None, otherwise: int) -> int:
    return mark.index if mark else otherwise


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)
