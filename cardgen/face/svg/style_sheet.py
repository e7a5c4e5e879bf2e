"""Faults of style sheets and style attributes, as the parser finds them that later applies them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from cardgen.face.svg.values import value_fault

# A word, a number, or a color in hexadecimal digits.
_PLAIN = re.compile(r"[\w#.,%+-]+")


@lru_cache(maxsize=1024)
def style_fault(text: str, properties: Collection[str], *, is_attribute: bool) -> str | None:
    """Return the fault of a style sheet, or of a style attribute, or None.

    Only the given properties are allowed, and references only to parts of the same file.
    """
    # Loaded here because most templates have no styles. CairoSVG reads styles with the same library.
    import tinycss2

    if "\\" in text:
        return "a style sheet cannot contain backslashes"
    parse = tinycss2.parse_blocks_contents if is_attribute else tinycss2.parse_stylesheet
    nodes = parse(text, skip_comments=True, skip_whitespace=True)
    return next(_faults(nodes, frozenset(properties)), None)


def _faults(nodes: Iterable[Any], properties: frozenset[str]) -> Iterator[str]:
    import tinycss2

    for node in nodes:
        match node.type:
            case "error":
                yield f"a style cannot be read: {node.message}"
            case "at-rule":
                yield "a style sheet cannot contain @-rules"
            case "declaration":
                if node.lower_name not in properties:
                    yield f"the property '{node.name}' is not supported"
                yield from _value_faults(node.value)
                value = tinycss2.serialize(node.value).strip()
                fault = value_fault(node.lower_name, value) if _PLAIN.fullmatch(value) else None
                if fault:
                    yield fault
            case "qualified-rule":
                contents = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
                yield from _faults(contents, properties)


def _value_faults(tokens: Iterable[Any]) -> Iterator[str]:
    for token in tokens:
        if token.type == "error":
            yield f"a style cannot be read: {token.message}"
        elif token.type == "url":
            yield from _target_faults(token.value)
        elif token.type == "function":
            if token.lower_name == "var":
                yield "CSS variables are not supported; use values of the theme, such as {{ theme.colours.ink }}"
            if token.lower_name == "url":
                for target in [each.value for each in token.arguments if each.type == "string"] or [""]:
                    yield from _target_faults(target)
            yield from _value_faults(token.arguments)
        elif token.type.endswith("block"):
            yield from _value_faults(token.content)


def _target_faults(target: str) -> Iterator[str]:
    if not target.startswith("#"):
        yield f"url({target}) can refer only to a part of the same template, such as url(#leaf)"
