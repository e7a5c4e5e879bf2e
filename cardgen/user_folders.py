"""Cache, configuration, and state folders of the user."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

# No folder can exist below this path, on any operating system.
_NOWHERE = os.devnull


def cache_folder() -> Path:
    """Return the folder for data that can be recreated.

    For users without a home folder, it is a path that cannot exist.
    """
    return _user_folder("user_cache_dir")


def config_folder() -> Path:
    """Return the folder for settings that apply to all projects.

    For users without a home folder, it is a path that cannot exist.
    """
    return _user_folder("user_config_dir")


def state_folder() -> Path:
    """Return the folder for data that cannot be recreated, such as texts that are not saved.

    For users without a home folder, it is a path that cannot exist.
    """
    return _user_folder("user_state_dir")


def _user_folder(folder: Literal["user_cache_dir", "user_config_dir", "user_state_dir"]) -> Path:
    import platformdirs  # imported here because only caches, profiles, and drafts need it

    try:
        return Path(getattr(platformdirs, folder)("cardgen"))
    except RuntimeError:
        return Path(_NOWHERE) / "cardgen"
