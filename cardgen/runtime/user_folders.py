"""The user's folders for caches, settings, and state, and cache entries that nobody but this user can have written.

A cache folder may be restored from elsewhere, as CI services do, or be shared. What is read there decides which files
are removed, written, and printed, so each entry carries a digest made with a key of this user. The key is stored with
the user's settings, never in the cache.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import re
import time
from base64 import b64decode
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes

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


def prune_oldest(folder: Path, limit: int, suffix: str = ".json", *, most_bytes: float = float("inf")) -> None:
    """Keep only the newest files of a cache folder, of those with a suffix: a number of them, and of their bytes."""
    files = [
        (status.st_mtime_ns, status.st_size, file) for file in folder.glob(f"*{suffix}") if (status := file.stat())
    ]
    for index, (_, size, file) in enumerate(sorted(files, reverse=True)):
        most_bytes -= size
        if index >= limit or most_bytes < 0:
            file.unlink(missing_ok=True)


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


MAX_EMBEDDED_BYTES = 64 << 20
# Pictures that a template embeds are kept as files, whose names are the digests of what they contain.
_EMBEDDED_FOLDER, _BROKEN = "embedded", "broken"
# As many as a face can have elements. They are counted now and then, and those in use count as new.
_MOST_EMBEDDED, _MOST_EMBEDDED_BYTES = 20_000, 1 << 30
_COUNTED_AFTER, _NEW_SECONDS = 500, 3600.0
_stored = count()
_SHORT = "data:cardgen,"
_NAME = re.compile(r"embedded-[0-9a-f]{32}\.(?:png|jpg|webp|gif|svg)")
_HREF = re.compile(rb"""(?P<start>\bhref\s*+=\s*+(?P<quote>["']))\s*+(?P<address>data:[^"'<{]*+)(?P=quote)""")
_ADDRESS = re.compile(r"data:image/(?P<type>[a-z]++(?:\+xml)?+)(?P<more>(?:;[^;,]*+)*+),", re.IGNORECASE)
_UNREADABLE = (
    "an embedded picture must be PNG, JPEG, WebP, GIF, or SVG in base64, up to 64 MiB; embed it again, or link the file"
)
_SUFFIXES = {"png": "png", "jpeg": "jpg", "jpg": "jpg", "webp": "webp", "gif": "gif", "svg+xml": "svg"}
# White space, also as programs write it in attributes.
_SPACE = re.compile(rb"&#(?:x0*[9aAdD]|0*(?:9|10|13));|\s++")


def lift_pictures(source: bytes) -> bytes:
    """Return the source of a template with a short address for each embedded picture, which is kept as a file.

    Lines stay the same. Pictures that cannot be kept stay in the source.
    """

    def short(match: re.Match[bytes]) -> bytes:
        lines = match[0].count(b"\n")
        try:
            name = embedded_picture(_SPACE.sub(b"", match["address"]).decode()).name
        except OSError:
            return match[0]
        except ValueError:
            name = _BROKEN
        return b"%s%s%s%s%s" % (match["start"], _SHORT.encode(), name.encode(), b"\n" * lines, match["quote"])

    return _HREF.sub(short, source) if b"data:" in source else source


def embedded_picture(address: str) -> Path:
    """Return the file of a picture that a `data:` address contains, or for which it stands.

    Raises ValueError with a message for the user if it is not a picture, and OSError if it cannot be kept.
    """
    folder = cache_folder() / _EMBEDDED_FOLDER
    name = address.strip().removeprefix(_SHORT)
    if _NAME.fullmatch(name):
        path = folder / name
        if not _is_kept(path):
            raise ValueError("an embedded picture is not in the cache anymore; run the command again")
        return path
    match = _ADDRESS.match(address)
    suffix = _SUFFIXES.get(match["type"].lower(), "") if match else ""
    if not match or not suffix or len(address) > MAX_EMBEDDED_BYTES:
        raise ValueError(_UNREADABLE)
    data = unquote_to_bytes(address[match.end() :].encode("utf-8", "replace"))
    if match["more"].lower().endswith(";base64"):
        try:
            data = b64decode(_SPACE.sub(b"", data), validate=True)
        except binascii.Error:
            raise ValueError(_UNREADABLE) from None
    path = folder / f"embedded-{_content_digest(data)}.{suffix}"
    if not _is_kept(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}")
        temporary.write_bytes(data)
        temporary.replace(path)
        if next(_stored) % _COUNTED_AFTER == 0:
            prune_oldest(folder, _MOST_EMBEDDED, "", most_bytes=_MOST_EMBEDDED_BYTES)
    return path


def is_embedded(path: Path) -> bool:
    """Return whether a picture is one that a template embeds."""
    return path.parent.name == _EMBEDDED_FOLDER and bool(_NAME.fullmatch(path.name))


def _content_digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _is_kept(path: Path) -> bool:
    """Return whether a file has the content that its name says: somebody may have replaced it."""
    try:
        if path.stat().st_mtime < time.time() - _NEW_SECONDS:
            os.utime(path)
        status = path.stat()
        return _has_its_content(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return False


@lru_cache(maxsize=_MOST_EMBEDDED)
def _has_its_content(path: Path, _modified: int, _size: int) -> bool:
    content = regular_file.read(path, MAX_EMBEDDED_BYTES)
    return path.stem == f"embedded-{_content_digest(content)}"
