"""What Jinja2 says about mistakes in the syntax of templates, in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardgen.validation.suggestion import did_you_mean

# The words of tags.
TAG_WORDS = (
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "macro", "endmacro", "call", "endcall", "filter",
    "endfilter", "include", "import", "from", "with", "endwith", "raw", "endraw", "block", "endblock", "extends",
    "autoescape", "endautoescape",
)  # fmt: skip
_TOKENS = {
    "end of print statement": "}}", "end of statement block": "%}", "name": "a name", "begin of comment": "{#",
}  # fmt: skip
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '(\w+)'")
_UNCLOSED = re.compile(r"The innermost block that needs to be closed is '(\w+)'")
_EXPECTED = re.compile(r"expected token '([^']+)', got '(.*)'", re.DOTALL)
_EXPRESSION = re.compile(r"Expected an expression, got '(.*)'", re.DOTALL)
_BRACKET = re.compile(r"unexpected '(.)', expected '(.)'")
_CHARACTER = re.compile(r"unexpected char (.+) at \d+")


def syntax_message(message: str) -> str:
    """Return what Jinja2 says about a syntax mistake in plain words."""
    for pattern, reword in _REWORDINGS:
        if match := pattern.search(message):
            return reword(match)
    return message[:1].lower() + message[1:].rstrip(".")


def unknown_tag(message: str) -> str:
    """Return the name of the unknown tag that Jinja2 reports, or ''."""
    match = _UNKNOWN_TAG.search(message)
    return match[1] if match and match[1] not in TAG_WORDS else ""


def _unclosed(match: re.Match[str]) -> str:
    other = _UNKNOWN_TAG.search(match.string)
    if other and other[1] not in TAG_WORDS:
        return _unknown_tag(other)
    if other:
        return f"{{% {other[1]} %}} does not match {{% {match[1]} %}}; write {{% end{match[1]} %}} first"
    return f"{{% {match[1]} %}} without {{% end{match[1]} %}}"


def _unknown_tag(match: re.Match[str]) -> str:
    word = match[1]
    if word in TAG_WORDS:
        opener = "if" if word in ("else", "elif") else word.removeprefix("end")
        return f"{{% {word} %}} without {{% {opener} %}}"
    swapped = next((other for other in TAG_WORDS if sorted(other) == sorted(word)), "")
    hint = f"; did you mean '{swapped}'?" if swapped else did_you_mean(word, TAG_WORDS)
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
