"""The Jinja2 environment for templates that strangers wrote: no way out to Python, and nothing gigantic."""

from __future__ import annotations

import re
from cmath import isfinite
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import (
    BaseLoader,
    StrictUndefined,
    TemplateRuntimeError,
    nodes,
    pass_environment,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import Environment
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape
from pydantic import BaseModel

from cardgen.face.repeating import Results, self_contained, stored_names
from cardgen.face.weight import weight

_LARGEST_OUTPUT = 4 << 20
_LARGEST_TEXT = 100_000
_LARGEST_NUMBER = 10**12
_HEAVIEST = 1_000_000
# What could build long texts or many items in one call, and what a card has no use for.
_FILTERS_LEFT_OUT = (
    "batch", "center", "filesizeformat", "format", "indent", "pprint", "random", "slice", "tojson", "urlize",
    "wordwrap", "xmlattr",
)  # fmt: skip
_GLOBALS_LEFT_OUT = ("lipsum", "cycler", "joiner")
# All that may be called on a plain value; of everything else, numbers and bytes among them, there are no methods.
_METHODS = frozenset({
    "capitalize", "count", "endswith", "find", "get", "index", "isalpha", "isdigit", "islower", "isupper", "items",
    "keys", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit", "rstrip",
    "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "values",
})  # fmt: skip
_PLAIN = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range)
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_NUMBERS = frozenset({int, float})
_MOST_PLACES = 15


class _BoundedCode(CodeGenerator):
    """Compiles `~` and what gathers values so that the sandbox can measure what comes of it."""

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """A number that is not finite would be written as the name `inf`, which nothing has."""
        if isinstance(node.value, float | complex) and not isfinite(node.value):
            self.fail("a number in it is too large", node.lineno)
        super().visit_Const(node, frame)

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        self._measured(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        self._measured(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        if node.ctx == "load":
            self._measured(super().visit_Tuple, node, frame)
        else:
            super().visit_Tuple(node, frame)

    def _measured(self, visit: Callable[[Any, Frame], None], node: nodes.Expr, frame: Frame) -> None:
        self.write("environment.gathered(")
        visit(node, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict, autoescaping, and bounded: of a card it shows fields and properties only."""

    code_generator_class = _BoundedCode
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            auto_reload=False,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: "" if value is None else value,
        )
        for name in _FILTERS_LEFT_OUT:
            self.filters.pop(name, None)
        for name in _GLOBALS_LEFT_OUT:
            self.globals.pop(name, None)
        self._results = Results()
        self._repeating: dict[str, frozenset[str]] = {}
        self._names_hidden = False
        self.filters.update(replace=_replaced, join=_joined, list=_listed, sum=_summed, round=_rounded)
        self.globals.update(dict=_dictionary, mix=_mixed)

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        """Compile a template, and note its macros that can be worked out once."""
        if filename is not None:
            self._repeating[filename] = self_contained(source, self)
        # Macros may look at `range` and its like: where a template gives such a name to something else, none is safe.
        self._names_hidden = self._names_hidden or not stored_names(source).isdisjoint(self.globals)
        return super()._generate(source, name, filename, defer_init)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call something; a macro that looks at its arguments only is worked out once for the same ones."""
        key = __self._key(__context, __obj, args, kwargs) if type(__obj) is Macro else None
        if key is None:
            return super().call(__context, __obj, *args, **kwargs)
        text = __self._results.find(key)
        if text is None:
            text = super().call(__context, __obj, *args, **kwargs)
            __self._results.keep(key, text)
        return text

    def _key(self, context: Any, macro: Macro, args: Any, kwargs: dict[str, Any]) -> tuple[object, ...] | None:
        code = macro._func.__code__
        if self._names_hidden or macro.name not in self._repeating.get(code.co_filename, ()):
            return None
        return self._results.key(code, context.eval_ctx.autoescape, args, kwargs.items())

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """Put the pieces of a template, a block or a macro together."""
        return "".join(_checked(parts) if isinstance(parts, list) else _bounded(parts, _LARGEST_OUTPUT))

    @staticmethod
    def joined(parts: Iterable[Any]) -> Markup:
        """What `~` makes of its operands."""
        return Markup("").join(_bounded(map(escape, parts), _LARGEST_TEXT))

    @staticmethod
    def gathered(values: Any) -> Any:
        """What a list, a tuple or a dictionary with these values becomes: itself, if it is not too heavy.

        Without that a list of two lists of two lists … would take no memory, and for ever to print or to compare.
        """
        return _light(values)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse methods of models, and those methods of plain values that build long ones."""
        if isinstance(obj, BaseModel):
            return attr in type(obj).model_fields or isinstance(getattr(type(obj), attr, None), property)
        if isinstance(obj, _PLAIN) and callable(value) and attr not in _METHODS:
            return False
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse what would grow without bound before it is computed."""
        if operator == "+":
            if type(left) in _NUMBERS and type(right) in _NUMBERS:
                return left + right
            _bound_sum(left, right)
        elif operator == "*":
            _bound_product(left, right)
        elif operator == "**":
            _bound_power(left, right)
        elif operator == "%" and isinstance(left, str):
            raise TemplateRuntimeError("texts cannot be formatted with %; join them with ~")
        return super().call_binop(context, operator, left, right)


def _checked(parts: list[str]) -> list[str]:
    if sum(map(len, parts)) > _LARGEST_OUTPUT:
        raise TemplateRuntimeError(f"a text of more than {_LARGEST_OUTPUT:,} characters is refused")
    return parts


def _bounded(parts: Iterable[str], most: int) -> list[str]:
    kept, total = [], 0
    for part in parts:
        total += len(part)
        if total > most:
            raise TemplateRuntimeError(f"a text of more than {most:,} characters is refused")
        kept.append(part)
    return kept


def _replaced(value: Any, old: str, new: str) -> str:
    text = str(value)
    if (text.count(old) if old else len(text) + 1) * len(new) > _LARGEST_TEXT:
        raise TemplateRuntimeError(f"a text of more than {_LARGEST_TEXT:,} characters is refused")
    return text.replace(old, new)


def _joined(values: Iterable[Any], between: str = "") -> Markup:
    parts = [escape(value) for value in values]
    _bounded([*parts, *[between] * len(parts)], _LARGEST_TEXT)
    return escape(between).join(parts)


def _light(values: Any, times: float = 1) -> Any:
    if weight(values, _HEAVIEST) * max(times, 1) > _HEAVIEST:
        raise TemplateRuntimeError(f"values of more than {_HEAVIEST:,} items and characters in all are refused")
    return values


def _listed(values: Iterable[Any]) -> list[Any]:
    return list(_light(list(values)))


def _dictionary(*values: Any, **more: Any) -> dict[Any, Any]:
    return dict(_light(dict(*values, **more)))


@pass_environment
def _summed(environment: Environment, values: Iterable[Any], attribute: str | None = None, start: float = 0) -> float:
    total = start
    for item in values if attribute is None else map(make_attrgetter(environment, attribute), values):
        if not isinstance(item, int | float):
            raise TemplateRuntimeError("only numbers can be summed up; join texts with |join")
        total += item
    return total


def _rounded(value: float, precision: int = 0, method: str = "common") -> float:
    if abs(precision) > _MOST_PLACES:
        raise TemplateRuntimeError(f"a number can be rounded to {_MOST_PLACES} places at most")
    return FILTERS["round"](value, precision, method)  # type: ignore[no-any-return]


def _mixed(first: str, second: str, share: float) -> str:
    """The colour on the way from one '#rrggbb' to another: a share of 0 is the first, of 1 the second."""
    share = min(1.0, max(0.0, share))
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> list[int]:
    if not _COLOUR.fullmatch(colour):
        raise TemplateRuntimeError(f"'{colour[:40]}' is no colour; write it as #rrggbb")
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _bound_sum(left: Any, right: Any) -> None:
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a sum of that length is refused")
    if isinstance(left, list | tuple):
        _light((left, right))


def _bound_product(left: Any, right: Any) -> None:
    """Two numbers may not be gigantic; a text or list times a number may not be long."""
    numbers = [abs(value) for value in (left, right) if isinstance(value, int | float)]
    lengths = [len(value) for value in (left, right) if not isinstance(value, int | float)]
    if lengths and lengths[0] * max(numbers, default=0) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a repetition of that length is refused")
    for value in (left, right):
        if isinstance(value, list | tuple):
            _light(value, max(numbers, default=0))
    if max(numbers, default=0) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a product of such large numbers is refused")


def _bound_power(left: Any, right: Any) -> None:
    if abs(right) > 64 or abs(left) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a power of such large numbers is refused")
