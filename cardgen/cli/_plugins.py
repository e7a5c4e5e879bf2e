"""pydantic's search for plugins is left out: what it reads, and what it loads for that, cost 30 ms of each command."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_PLUGIN_LOADER = "pydantic.plugin._loader"


class _NoPluginSearch(ModuleType):
    """Stands where pydantic looks for the searching module, and finds nothing."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        """No plugin watches our models."""
        return ()

    def __getattr__(self, name: str) -> Any:
        """Whatever else another pydantic may ask of that module, the module itself answers."""
        if name.startswith("__"):  # What Python's import asks of every module.
            raise AttributeError(name)
        sys.modules.pop(_PLUGIN_LOADER, None)
        return getattr(import_module(_PLUGIN_LOADER), name)


def skip_plugin_search() -> None:
    """Nothing is searched for from now on, unless the user asked for it."""
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__") == "__all__":
        sys.modules.setdefault(_PLUGIN_LOADER, _NoPluginSearch(_PLUGIN_LOADER))
