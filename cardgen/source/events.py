"""The YAML parser's events: from libyaml, or from PyYAML itself where that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import yaml
from yaml.events import Event

from cardgen.source import syntax
from cardgen.source.codes import Code
from cardgen.source.problem import FatalProblem, Problem

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
        raise FatalProblem(syntax.syntax_problem(error, text)) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML's own parser trips over some escapes.
        at = min(getattr(stream, "index", 0), max(len(text) - 1, 0))
        raise FatalProblem(Problem(Code.SYNTAX, "this is not YAML", at, at + 1)) from error
