"""All syntax mistakes of a template, although Jinja2 stops at the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jinja2 import Environment, TemplateSyntaxError, nodes

from cardgen.sandbox.scope import TAG_WORDS, syntax_message

# More are of no use to anyone.
MOST_MISTAKES = 50
# A value or a tag, up to the next one if it is not closed.
_TAG = re.compile(
    r"\{\{(?:(?!\{\{|\{%).)*?(?:\}\}|(?=\{\{|\{%|\Z))|\{%(?:(?!\{\{|\{%).)*?(?:%\}|(?=\{\{|\{%|\Z))", re.DOTALL
)
# An end is always found, because looking for one from each beginning would take for ever.
_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)|\{%-?\s*raw\s*-?%\}.*?(?:\{%-?\s*endraw\s*-?%\}|\Z)", re.DOTALL)
_KEYWORD = re.compile(r"\{%[-+]?\s*(\w*)")
# What completes an opening tag, so that it can be parsed by itself.
_CLOSERS = {"if": "endif", "for": "endfor", "macro": "endmacro", "call": "endcall", "filter": "endfilter",
            "with": "endwith", "autoescape": "endautoescape"}  # fmt: skip
_ALONE = ("include", "import", "from")


class Mistake(NamedTuple):
    """A mistake at a line of a template.

    `word` is the part of the line that is wrong.
    """

    line: int
    message: str
    word: str = ""


class ParsedTemplate(NamedTuple):
    """A template with its syntax mistakes.

    The tree lacks the tags that have them.
    """

    tree: nodes.Template | None
    mistakes: tuple[Mistake, ...]


def parse(environment: Environment, source: str) -> ParsedTemplate:
    """Parse a template, and find all its syntax mistakes.

    Raises RecursionError if it is nested too deeply.
    """
    try:
        return ParsedTemplate(environment.parse(source), ())
    except TemplateSyntaxError as error:
        first = Mistake(error.lineno, syntax_message(error.message or ""))
    mistakes, parts, end = [], [], 0
    for match, mistake in _faulty_tags(environment, source):
        mistakes.append(mistake)
        parts += [source[end : match.start()], _placeholder(match[0])]
        end = match.end()
    try:
        return ParsedTemplate(environment.parse("".join((*parts, source[end:]))), tuple(mistakes))
    except TemplateSyntaxError as error:
        # Tags that are right, but do not match each other.
        structure = Mistake(error.lineno, syntax_message(error.message or ""))
        return ParsedTemplate(None, (*mistakes, structure) if mistakes else (_better(first, structure),))


def _better(first: Mistake, second: Mistake) -> Mistake:
    return first if first.line == second.line else second


def _faulty_tags(environment: Environment, source: str) -> Iterator[tuple[re.Match[str], Mistake]]:
    hidden = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    found = 0
    for match in _TAG.finditer(hidden):
        try:
            environment.parse(_standalone(match[0]))
        except TemplateSyntaxError as error:
            line = source.count("\n", 0, match.start()) + error.lineno
            message = syntax_message(error.message or "")
            yield match, Mistake(line, message, match[0].split("\n")[0] if error.lineno == 1 else "")
            found += 1
            if found >= MOST_MISTAKES:
                return


def _standalone(tag: str) -> str:
    """Return a tag with what it needs to be a template of its own."""
    keyword = match[1] if (match := _KEYWORD.match(tag)) else ""
    if keyword in _CLOSERS:
        return f"{tag}{{% {_CLOSERS[keyword]} %}}"
    if keyword == "set":
        return tag if "=" in tag else f"{tag}{{% endset %}}"
    if keyword == "elif":
        return f"{{% if x %}}{tag}{{% endif %}}"
    if keyword == "block":
        return f"{tag}{{% endblock %}}"
    return "" if keyword == "else" or (keyword.startswith("end") and keyword in TAG_WORDS) else tag


def _placeholder(tag: str) -> str:
    """Return a tag without content, with the same line breaks, that keeps the structure."""
    keyword = match[1] if (match := _KEYWORD.match(tag)) else ""
    breaks = "\n" * tag.count("\n")
    stand_in = {"if": "{% if true %}", "elif": "{% elif true %}", "for": "{% for _ in () %}",
                "macro": "{% macro _() %}",
                "with": "{% with %}", "call": "{% call _() %}", "filter": "{% filter trim %}"}  # fmt: skip
    return stand_in.get(keyword, "") + breaks
