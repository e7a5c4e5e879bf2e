"""Libraries, loaded without what only their type checkers and slow paths need.

This is for the program alone, which is the only one to use its libraries; for the Python API, nothing changes.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_PLUGIN_LOADER = "pydantic.plugin._loader"
_compile_now = re.compile


class _NoPluginSearch(ModuleType):
    """Replaces the plugin loader of pydantic, and finds no plugins."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        """Return no plugins."""
        return ()

    def __getattr__(self, name: str) -> Any:
        """Load the real module for any other attribute."""
        if name.startswith("__"):  # The import system looks these up on every module.
            raise AttributeError(name)
        sys.modules.pop(_PLUGIN_LOADER, None)
        return getattr(import_module(_PLUGIN_LOADER), name)


def skip_plugin_search() -> None:
    """Turn off the plugin search of pydantic, unless the user enabled it."""
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") == "__all__":
        sys.modules.setdefault(_PLUGIN_LOADER, _NoPluginSearch(_PLUGIN_LOADER))


class _PlainDict(dict[str, Any]):
    """Stands for `TypedDict`: instances are dicts, and the types of the keys are not evaluated."""

    def __new__(cls, *args: Any, **items: Any) -> Any:
        """Return a plain dict, as a TypedDict does."""
        return dict(*args, **items)

    def __init_subclass__(cls, total: bool = True) -> None:
        """Accept the argument of TypedDict."""


class _LatePattern:
    """A regular expression that is compiled at its first use."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        """Compile the expression, and keep the attribute."""
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(_compile_now(*self._arguments), name)
        setattr(self, name, value)
        return value


@contextmanager
def _replaced(name: str, replacement: object) -> Iterator[None]:
    """Replace an attribute of a module, such as 'typing.TypedDict', while another one is loaded."""
    module = import_module(name.rpartition(".")[0])
    attribute = name.rpartition(".")[2]
    original = getattr(module, attribute)
    setattr(module, attribute, replacement)
    try:
        yield
    finally:
        setattr(module, attribute, original)


# What to replace while a module is loaded: the types of the schemas of pydantic, which only type checkers read, and the
# patterns of PyYAML, which libyaml does not need.
_REPLACEMENTS: Mapping[str, Mapping[str, object]] = {
    "pydantic_core.core_schema": {"typing_extensions.TypedDict": _PlainDict, "typing.TypedDict": _PlainDict},
    "yaml": {"re.compile": _LatePattern},
}


class LightFinder:
    """Finder of the import system that loads some modules with replacements."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the usual spec of a module with replacements, with a loader that makes them; None for others."""
        if name not in _REPLACEMENTS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = _light(spec.loader.exec_module, _REPLACEMENTS[name])  # type: ignore[method-assign, assignment]
        return spec


def _light(load: Callable[[ModuleType], None], replacements: Mapping[str, object]) -> Callable[[ModuleType], None]:
    def load_with_replacements(module: ModuleType) -> None:
        with ExitStack() as stack:
            for name, replacement in replacements.items():
                stack.enter_context(_replaced(name, replacement))
            load(module)

    return load_with_replacements


def load_lightly() -> None:
    """Load the libraries lightly from now on."""
    skip_plugin_search()
    if LightFinder not in sys.meta_path:
        sys.meta_path.insert(0, LightFinder)
