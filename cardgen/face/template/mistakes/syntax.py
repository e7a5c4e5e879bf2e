"""All syntax mistakes of a template, although Jinja2 stops at the first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from jinja2 import Environment, TemplateSyntaxError, nodes

from cardgen.validation.suggestion import did_you_mean

# More are of no use to anyone.
MOST_MISTAKES = 50
# A value or a tag, up to the next one if it is not closed.
_TAG = re.compile(
    r"\{\{(?:(?!\{\{|\{%).)*?(?:\}\}|(?=\{\{|\{%|\Z))|\{%(?:(?!\{\{|\{%).)*?(?:%\}|(?=\{\{|\{%|\Z))", re.DOTALL
)
# An end is always found, because looking for one from each beginning would take for ever.
_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)|\{%-?\s*raw\s*-?%\}.*?(?:\{%-?\s*endraw\s*-?%\}|\Z)", re.DOTALL)
_KEYWORD = re.compile(r"\{%[-+]?\s*(\w*)")
_WORDS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "macro", "endmacro", "call", "endcall", "filter",
    "endfilter", "include", "import", "from", "with", "endwith", "raw", "endraw", "block", "endblock", "extends",
    "autoescape", "endautoescape",
)  # fmt: skip
# What completes an opening tag, so that it can be parsed by itself.
_CLOSERS = {"if": "endif", "for": "endfor", "macro": "endmacro", "call": "endcall", "filter": "endfilter",
            "with": "endwith", "autoescape": "endautoescape"}  # fmt: skip
_ALONE = ("include", "import", "from")
_TOKENS = {
    "end of print statement": "}}", "end of statement block": "%}", "name": "a name", "begin of comment": "{#",
}  # fmt: skip
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '(\w+)'")
_UNCLOSED = re.compile(r"The innermost block that needs to be closed is '(\w+)'")
_EXPECTED = re.compile(r"expected token '([^']+)', got '(.*)'", re.DOTALL)
_EXPRESSION = re.compile(r"Expected an expression, got '(.*)'", re.DOTALL)
_BRACKET = re.compile(r"unexpected '(.)', expected '(.)'")
_CHARACTER = re.compile(r"unexpected char (.+) at \d+")


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
    return "" if keyword == "else" or (keyword.startswith("end") and keyword in _WORDS) else tag


def _placeholder(tag: str) -> str:
    """Return a tag without content, with the same line breaks, that keeps the structure."""
    keyword = match[1] if (match := _KEYWORD.match(tag)) else ""
    breaks = "\n" * tag.count("\n")
    stand_in = {"if": "{% if true %}", "elif": "{% elif true %}", "for": "{% for _ in () %}",
                "macro": "{% macro _() %}",
                "with": "{% with %}", "call": "{% call _() %}", "filter": "{% filter trim %}"}  # fmt: skip
    return stand_in.get(keyword, "") + breaks


def syntax_message(message: str) -> str:
    """Return what Jinja2 says about a syntax mistake in plain words."""
    for pattern, reword in _REWORDINGS:
        if match := pattern.search(message):
            return reword(match)
    return message[:1].lower() + message[1:].rstrip(".")


def _unclosed(match: re.Match[str]) -> str:
    other = _UNKNOWN_TAG.search(match.string)
    if other:
        return f"{{% {other[1]} %}} does not match {{% {match[1]} %}}; write {{% end{match[1]} %}} first"
    return f"{{% {match[1]} %}} without {{% end{match[1]} %}}"


def _unknown_tag(match: re.Match[str]) -> str:
    word = match[1]
    if word in _WORDS:
        opener = "if" if word in ("else", "elif") else word.removeprefix("end")
        return f"{{% {word} %}} without {{% {opener} %}}"
    swapped = next((other for other in _WORDS if sorted(other) == sorted(word)), "")
    hint = f"; did you mean '{swapped}'?" if swapped else did_you_mean(word, _WORDS)
    return f"unknown tag '{word}'{hint}"


def _character(match: re.Match[str]) -> str:
    quotes = ('"\'"', "'\"'")
    return "a quotation mark is missing" if match[1] in quotes else f"unexpected '{match[1].strip(_QUOTES)}'"


def _expected(wanted: str, actual: str) -> str:
    if wanted in ("end of statement block", "end of print statement"):
        hint = {"=": "; compare with ==", "==": "; assign with ="}.get(actual, "")
        return f"unexpected '{_token(actual)}'{hint}"
    return f"{_token(wanted) if wanted == 'name' else repr(_token(wanted))} is missing before '{_token(actual)}'"


def _token(name: str) -> str:
    return _TOKENS.get(name, name)


_QUOTES = "'\""
# What Jinja2 says, and how to say it; the first that matches counts.
_REWORDINGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_UNCLOSED, _unclosed),
    (_UNKNOWN_TAG, _unknown_tag),
    (_EXPRESSION, lambda match: f"a value is missing before '{_token(match[1])}'"),
    (_EXPECTED, lambda match: _expected(match[1], match[2])),
    (_BRACKET, lambda match: f"'{match[2]}' is missing before '{match[1]}'"),
    (_CHARACTER, _character),
    (re.compile("^unexpected '.*"), lambda match: f"{match[0]}; a value ends with }}}}, and a tag with %}}"),
    (re.compile("^expected name or number"), lambda _: "a name is missing after '.'"),
    (re.compile("Missing end of comment"), lambda _: "the comment is not closed; add #}"),
)
