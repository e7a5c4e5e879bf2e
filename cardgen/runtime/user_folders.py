"""The user's folders for caches, settings, and state, and cache entries that nobody but this user can have written.

A cache folder may be restored from elsewhere, as CI services do, or be shared. What is read there decides which files
are removed, written, and printed, so each entry carries a digest made with a key of this user. The key is stored with
the user's settings, never in the cache.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from cardgen.runtime import regular_file

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


# Hidden, because it is not a setting.
KEY_FILE = ".cache-key"
_DIGEST_SIZE = _KEY_SIZE = 32
_keys: dict[Path, bytes] = {}


def seal(name: str, content: bytes) -> bytes | None:
    """Return the content of the entry `name` with its digest; None if there is no key and none can be created."""
    digest = _digest(name, content, create=True)
    return None if digest is None else digest + content


def unseal(name: str, entry: object) -> bytes | None:
    """Return the content of a sealed entry; None if it is not one that `seal` returned for this name."""
    if not isinstance(entry, bytes):
        return None
    digest, content = entry[:_DIGEST_SIZE], entry[_DIGEST_SIZE:]
    return content if digest == _digest(name, content, create=False) else None


def _digest(name: str, content: bytes, *, create: bool) -> bytes | None:
    key = _key(config_folder() / KEY_FILE, create=create)
    if key is None:
        return None
    digest = hashlib.blake2b(name.encode("utf-8", "surrogateescape") + b"\0", key=key, digest_size=_DIGEST_SIZE)
    digest.update(content)
    return digest.digest()


def _key(file: Path, *, create: bool) -> bytes | None:
    """Return the key; None if there is none, and none can be created."""
    if file not in _keys:
        if create:
            with suppress(OSError):  # It exists, or cannot be created.
                file.parent.mkdir(parents=True, exist_ok=True)
                _create_key(file)
        with suppress(OSError):
            key = regular_file.read(file, _KEY_SIZE)
            if len(key) == _KEY_SIZE:
                _keys[file] = key
    return _keys.get(file)


def _create_key(file: Path) -> None:
    """Create a key that only this user can read. Raises FileExistsError if there is one."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, os.urandom(_KEY_SIZE))
    finally:
        os.close(handle)
    try:
        os.link(temporary, file)  # Appears complete, and only if no other process was faster.
    finally:
        temporary.unlink()
