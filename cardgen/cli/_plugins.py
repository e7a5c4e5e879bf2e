"""Plugins of pydantic, which the program does not search for.

This is for the program alone; for the Python API, nothing changes.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_PLUGIN_LOADER = "pydantic.plugin._loader"


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
