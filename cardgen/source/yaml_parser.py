"""Events of the YAML parser, and its syntax errors in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import yaml
from yaml.events import Event

from cardgen.source.codes import Code
from cardgen.source.problem import FatalProblem, Problem


class Explanation(NamedTuple):
    """What is wrong and how to mend it; `opening` where the beginning of the construct is the place to look at."""

    message: str
    help: str = ""
    at_start: bool = False


_TAB = Explanation("a tab stands where YAML wants spaces", "indent with spaces only")
_COLON = Explanation(
    "a colon stands where no key can be", "put the text in quotes, or indent the key like those beside it"
)
_NO_COLON = Explanation("a key without its colon", "write 'key: value', with a space behind the colon", at_start=True)
_INDENT = Explanation(
    "this does not fit what stands above", "indent every key of a map, and every '-' of a list, alike"
)
_REST = Explanation(
    "something stands behind the value", "put the whole value in quotes; in single quotes write '' for '"
)
_ITEM = Explanation("a list item cannot begin here", "begin it on a line of its own, as '- item'")
_QUOTE = Explanation("the quotation mark that begins here is never closed", "close it", at_start=True)
_MARKER = Explanation(
    "the quotation mark that begins here is not closed before '---' or '...'", "close it", at_start=True
)
_ESCAPE = Explanation("no escape that YAML knows", r"write \\ for a backslash, or use single quotes")
_LIST = Explanation("the list that begins here lacks a comma or its ']'", "write [one, two]", at_start=True)
_MAP = Explanation(
    "the map that begins here lacks a comma or its '}'", "write {key: value, other: value}", at_start=True
)
_START = Explanation("no unquoted text can begin with this character", "put the text in quotes", at_start=True)
_NOTHING = Explanation("a value is missing here", "write one, or put the text in quotes")
_BLOCK = Explanation("a text after '|' or '>' begins on the next line", "put the text below it, indented")
_DIRECTIVE = Explanation("directives are refused", "put the text in quotes")

# Parts of what libyaml and PyYAML say, the more telling ones first.
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
    """What a parser's `error` in `text` means for the author."""
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
    return explanation or Explanation(f"this is not YAML: {error.problem}")


def _mark_index(mark: yaml.Mark | None, otherwise: int) -> int:
    return mark.index if mark else otherwise


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


ParserClass: TypeAlias = type[yaml.CSafeLoader] | type[yaml.SafeLoader]

# The two give the same events; without libyaml reading is some twenty times slower.
DEFAULT_PARSER: ParserClass = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def parse_events(text: str, parser_class: ParserClass | None = None) -> Iterator[Event]:
    """The events of `text`, one by one; raises ReadingEnds at the first syntax error."""
    stream = (parser_class or DEFAULT_PARSER)(text)
    try:
        while (event := stream.get_event()) is not None:
            yield event
    except yaml.MarkedYAMLError as error:
        raise FatalProblem(syntax_problem(error, text)) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML's own parser trips over some escapes.
        at = min(getattr(stream, "index", 0), max(len(text) - 1, 0))
        raise FatalProblem(Problem(Code.SYNTAX, "this is not YAML", at, at + 1)) from error
