"""Names that an expression may use, and messages about its syntax."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from jinja2 import nodes

from cardgen.diagnostic import did_you_mean
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.functions import AGGREGATES
from cardgen.sandbox.values import ExpressionError, suggest

# What Jinja2 says about mistakes in the syntax of templates, in plain words.

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


def path_of(node: nodes.Node) -> str:
    """Return how messages name the value of a node: 'brave.armour', or 'it'."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return f"{path_of(node.node)}.{node.attr}"
    return "it"


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


# Unknown names of expressions, found without evaluating them.


def unknown_names(node: nodes.Node, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield an error for every name or attribute outside the scope.

    None as scope allows every name.
    """
    if isinstance(node, nodes.Filter) and node.name in ("default", "d"):
        for argument in node.args:
            yield from unknown_names(argument, scope)
    elif isinstance(node, nodes.Test) and node.name in ("defined", "undefined"):
        return
    elif isinstance(node, nodes.Name):
        if scope is not None and node.ctx == "load" and node.name not in scope:
            yield ExpressionError(f"unknown name '{node.name}'{suggest(node.name, scope)}", node.name)
    elif isinstance(node, nodes.Getattr):
        yield from _unknown_attribute(node, scope)
    elif isinstance(node, nodes.Call):
        yield from _unknown_in_call(node, scope)
    elif isinstance(node, nodes.Compare):
        yield from _unknown_in(list(node.iter_child_nodes()), scope)
        yield from _unknown_words(node, scope)
    elif isinstance(node, nodes.For):
        yield from unknown_names(node.iter, scope)
        yield from _unknown_in(node.body + node.else_, _with(scope, node.target, "loop"))
    else:
        yield from _unknown_in(list(node.iter_child_nodes()), scope)


def _unknown_in(parts: list[nodes.Node], scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield the errors of parts in order.

    An assignment adds a name for those after it.
    """
    for part in parts:
        yield from unknown_names(part, scope)
        if isinstance(part, nodes.Assign):
            scope = _with(scope, part.target)


def _with(scope: Mapping[str, Shape] | None, target: nodes.Node, *more: str) -> Mapping[str, Shape] | None:
    if scope is None:
        return None
    names = [target.name] if isinstance(target, nodes.Name) else [each.name for each in target.find_all(nodes.Name)]
    return {**scope, **dict.fromkeys((*names, *more), ANYTHING)}


def _unknown_attribute(node: nodes.Getattr, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    earlier = list(unknown_names(node.node, scope))
    yield from earlier
    fields = shape_of(node.node, scope).fields
    if not earlier and fields is not None and node.attr not in fields:
        suggestion = suggest(node.attr, fields)
        yield ExpressionError(f"'{path_of(node.node)}' has no '{node.attr}'{suggestion}", node.attr)


def _unknown_words(node: nodes.Compare, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    """Yield an error for each text that a choice is compared with, but cannot be."""
    left = node.expr
    for operand in node.ops:
        if operand.op in ("eq", "ne", "in", "notin"):
            yield from _outside_choices(left, operand.expr, scope)
        if operand.op in ("eq", "ne"):
            yield from _outside_choices(operand.expr, left, scope)
        left = operand.expr


def _outside_choices(
    choice: nodes.Node, other: nodes.Node, scope: Mapping[str, Shape] | None
) -> Iterator[ExpressionError]:
    words = shape_of(choice, scope).words or ()
    for text in _texts(other) if words else ():
        if text not in words:
            yield ExpressionError(f"'{path_of(choice)}' cannot be '{text}'{suggest(text, words)}", text)


def _texts(node: nodes.Node) -> list[str]:
    """Return the constant texts of a value or a list."""
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else [node]
    return [each.value for each in items if isinstance(each, nodes.Const) and isinstance(each.value, str)]


def _unknown_in_call(node: nodes.Call, scope: Mapping[str, Shape] | None) -> Iterator[ExpressionError]:
    inner = scope
    if isinstance(node.node, nodes.Getattr):
        yield from unknown_names(node.node.node, scope)
        if node.node.attr in AGGREGATES:
            # The names in the argument of an aggregate; None if the fields of the items are unknown.
            items = shape_of(node.node.node, scope).items
            if scope is None or items is None or items.fields is None:
                inner = None
            else:
                inner = {**scope, **items.fields, "each": items}
    for argument in (*node.args, *(pair.value for pair in node.kwargs)):
        yield from unknown_names(argument, inner)


def shape_of(node: nodes.Node, scope: Mapping[str, Shape] | None) -> Shape:
    """Return the shape of a name or an attribute, and ANYTHING for other nodes."""
    if isinstance(node, nodes.Name):
        return (scope or {}).get(node.name, ANYTHING)
    if isinstance(node, nodes.Getattr):
        return (shape_of(node.node, scope).fields or {}).get(node.attr, ANYTHING)
    if isinstance(node, nodes.Getitem) and not isinstance(node.arg, nodes.Slice):
        return shape_of(node.node, scope).items or ANYTHING
    return ANYTHING
