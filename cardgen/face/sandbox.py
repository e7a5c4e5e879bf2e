"""The Jinja2 environment for templates that strangers wrote: no way out to Python, and no giant numbers or strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, TemplateNotFound, TemplateRuntimeError
from jinja2.environment import Environment
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel

_LARGEST_TEXT = 100_000
_LARGEST_NUMBER = 10**12
_UNBOUNDED_FILTERS = ("center", "format", "indent", "pprint", "random", "tojson", "wordwrap", "xmlattr")
_UNBOUNDED_METHODS = frozenset({"format", "format_map", "center", "ljust", "rjust", "zfill", "expandtabs", "translate"})


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
        modified = path.stat().st_mtime_ns
        return path.read_text(encoding="utf-8"), str(path), lambda: path.stat().st_mtime_ns == modified


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict, autoescaping, and bounded: of a card it shows fields and properties only."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: "" if value is None else value,
        )
        for name in _UNBOUNDED_FILTERS:
            self.filters.pop(name, None)
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name, None)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse methods of models and those methods of strings that build long ones."""
        if isinstance(obj, BaseModel):
            return attr in type(obj).model_fields or isinstance(getattr(type(obj), attr, None), property)
        if isinstance(obj, str) and attr in _UNBOUNDED_METHODS:
            return False
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse what would grow without bound before it is computed."""
        if operator == "*":
            _bound_product(left, right)
        elif operator == "**":
            _bound_power(left, right)
        elif operator == "%" and isinstance(left, str):
            raise TemplateRuntimeError("texts cannot be formatted with %; join them with ~")
        return super().call_binop(context, operator, left, right)


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
