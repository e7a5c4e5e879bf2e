"""Events of the YAML parser, and plain messages for its syntax errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import yaml
from yaml.events import Event

from cardgen.source.codes import Code
from cardgen.source.problem import FatalProblem, Problem


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
_NO_COLON = Explanation("key without a colon", "write 'key: value', with a space after the colon", at_start=True)
_INDENT = Explanation("this does not match the lines above", "indent all keys of a map, and all '-' of a list, equally")
_REST = Explanation(
    "unexpected text after the value", "put the whole value in quotes; in single quotes, write '' for '"
)
_ITEM = Explanation("unexpected list item", "start it on its own line, as '- item'")
_QUOTE = Explanation("unclosed quotation mark", "add the closing quotation mark", at_start=True)
_MARKER = Explanation("unclosed quotation mark before '---' or '...'", "add the closing quotation mark", at_start=True)
_ESCAPE = Explanation("unknown escape sequence", r"write \\ for a backslash, or use single quotes")
_LIST = Explanation("list is missing a comma or its closing ']'", "write [one, two]", at_start=True)
_MAP = Explanation("map is missing a comma or its closing '}'", "write {key: value, other: value}", at_start=True)
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
    explanation = _explain(error, text, at)
    if explanation.at_start:
        start = _mark_index(error.context_mark, at)
        return Problem(Code.SYNTAX, explanation.message, start, _line_end(text, start), explanation.help)
    return Problem(Code.SYNTAX, explanation.message, at, min(at + 1, len(text)), explanation.help)


def _explain(error: yaml.MarkedYAMLError, text: str, at: int) -> Explanation:
    parser_message = f"{error.context}: {error.problem}"
    explanation = next((words for part, words in _EXPLANATIONS if part in parser_message), None)
    if explanation is _START and text[at : at + 1] == "\t":
        return _TAB
    if explanation is _INDENT and text[text.rfind("\n", 0, at) + 1 : at].strip(" -"):
        return _REST
    if explanation in (_LIST, _MAP) and _is_in_plain_text(text, at):
        return explanation._replace(help=_QUOTE_BRACKETS)
    return explanation or Explanation(f"invalid YAML: {error.problem}")


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
