"""The Jinja2 environment for templates that strangers wrote: no way out to Python, and no giant numbers or strings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, TemplateNotFound, TemplateRuntimeError, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import Environment
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape
from pydantic import BaseModel

_LARGEST_TEMPLATE = 1 << 20
_LARGEST_OUTPUT = 4 << 20
_LARGEST_TEXT = 100_000
_LARGEST_NUMBER = 10**12
# What could build long texts or many items in one call, and what a card has no use for.
_FILTERS_LEFT_OUT = (
    "batch", "center", "filesizeformat", "format", "indent", "pprint", "random", "slice", "tojson", "urlize",
    "wordwrap", "xmlattr",
)  # fmt: skip
_GLOBALS_LEFT_OUT = ("lipsum", "cycler", "joiner")
_METHODS_LEFT_OUT = frozenset({
    "format", "format_map", "center", "ljust", "rjust", "zfill", "expandtabs", "translate", "replace", "join",
})  # fmt: skip


class FolderLoader(BaseLoader):
    """Finds templates by name in folders, the first one that has it wins; none of them can be left."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)
        self._found: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """The file of that name, or None; once found it is not looked for again."""
        if name not in self._found:
            path = self._search(name)
            if path is None:
                return None
            self._found[name] = path
        return self._found[name]

    def _search(self, name: str) -> Path | None:
        for folder in self.folders:
            path = (folder / name).resolve()
            if path.is_relative_to(folder) and path.is_file():
                return path
        return None

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """What Jinja2 asks for: the text, its file, and whether it is still the newest."""
        path = self.find(template)
        if path is None:
            raise TemplateNotFound(template)
        state = path.stat()
        if state.st_size > _LARGEST_TEMPLATE:
            raise TemplateRuntimeError(f"{path.name} is larger than {_LARGEST_TEMPLATE // 1024:,} KiB")
        return path.read_text(encoding="utf-8"), str(path), lambda: path.stat().st_mtime_ns == state.st_mtime_ns


class _BoundedCode(CodeGenerator):
    """Compiles `~` so that the sandbox can measure what is joined."""

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
        self.filters.update(replace=_replaced, join=_joined)

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """Put the pieces of a template, a block or a macro together."""
        return "".join(_bounded(parts, _LARGEST_OUTPUT))

    @staticmethod
    def joined(parts: Iterable[Any]) -> Markup:
        """What `~` makes of its operands."""
        return Markup("").join(_bounded(map(escape, parts), _LARGEST_TEXT))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse methods of models and those methods of strings that build long ones."""
        if isinstance(obj, BaseModel):
            return attr in type(obj).model_fields or isinstance(getattr(type(obj), attr, None), property)
        if isinstance(obj, str) and attr in _METHODS_LEFT_OUT:
            return False
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse what would grow without bound before it is computed."""
        if operator == "+":
            _bound_sum(left, right)
        elif operator == "*":
            _bound_product(left, right)
        elif operator == "**":
            _bound_power(left, right)
        elif operator == "%" and isinstance(left, str):
            raise TemplateRuntimeError("texts cannot be formatted with %; join them with ~")
        return super().call_binop(context, operator, left, right)


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


def _bound_sum(left: Any, right: Any) -> None:
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a sum of that length is refused")


def _bound_product(left: Any, right: Any) -> None:
    """Two numbers may not be gigantic; a text or list times a number may not be long."""
    numbers = [abs(value) for value in (left, right) if isinstance(value, int | float)]
    lengths = [len(value) for value in (left, right) if not isinstance(value, int | float)]
    if lengths and lengths[0] * max(numbers, default=0) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a repetition of that length is refused")
    if max(numbers, default=0) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a product of such large numbers is refused")


def _bound_power(left: Any, right: Any) -> None:
    if abs(right) > 64 or abs(left) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a power of such large numbers is refused")
