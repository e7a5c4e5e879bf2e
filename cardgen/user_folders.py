"""Cache and configuration folders of the user."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

# Below this there can be no folder, on any operating system.
_NOWHERE = os.devnull


def cache_folder() -> Path:
    """Where things are kept that can be made again; a place where nothing can be, for users who have no home."""
    return _user_folder("user_cache_dir")


def config_folder() -> Path:
    """Where settings lie that hold for all projects; a place where nothing can be, for users who have no home."""
    return _user_folder("user_config_dir")


def _user_folder(folder: Literal["user_cache_dir", "user_config_dir"]) -> Path:
    import platformdirs  # loaded here, for who wants nothing kept need not wait for it

    try:
        return Path(getattr(platformdirs, folder)("cardgen"))
    except RuntimeError:
        return Path(_NOWHERE) / "cardgen"
