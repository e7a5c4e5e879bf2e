"""Records of exports, by which files that an export no longer has are removed.

A record lists the files of each request for an output folder. Records are in the user's cache folder, one file per
output folder; one that is missing or broken means that nothing is removed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from cardgen.diagnostic import CardgenError
from cardgen.print.options import BuildRequest
from cardgen.runtime import atomic_write, fingerprint, regular_file
from cardgen.runtime.fingerprint import WRITTEN, Stamp, stamp
from cardgen.runtime.sealed_entry import seal, unseal
from cardgen.user_folders import cache_folder

_FORMAT = 1
_MOST_RECORDS, _MOST_REQUESTS = 200, 50
_MAX_BYTES = 64 * 2**20
_Files: TypeAlias = dict[str, Stamp]


class ExportRecord:
    """The record of the output folder of a request; `name` is that of the target."""

    def __init__(self, name: str, request: BuildRequest) -> None:
        self._folder = Path(os.path.abspath(request.output))  # noqa: PTH100 - resolve() would follow links
        self._request = _digest(_identity(name, request))
        self._file = cache_folder() / "exports" / f"{_digest(str(self._folder))}.json"

    def update(self, files: Iterable[Path]) -> tuple[Path, ...]:
        """Record the files of this export, and remove those of its last run that it no longer has.

        Files that somebody changed, and those of other exports into the same folder, are kept. Return the files that
        were removed.
        """
        requests = self._read()
        current = {os.path.abspath(path): stamp(path, WRITTEN, follow_links=False) for path in files}  # noqa: PTH100
        previous = requests.pop(self._request, {})
        kept = current.keys() | {path for others in requests.values() for path in others}
        removed = tuple(self._remove(path, previous[path]) for path in sorted(previous.keys() - kept))
        self._write({**dict(list(requests.items())[1 - _MOST_REQUESTS :]), self._request: current})
        return tuple(path for path in removed if path is not None)

    def _remove(self, path: str, recorded: Stamp) -> Path | None:
        """Remove a file that is as it was written, and folders that are empty then; return its path from here."""
        file = Path(path)
        inside = file.parent.resolve().is_relative_to(self._folder.resolve())
        if not inside or stamp(file, WRITTEN, follow_links=False) != recorded:
            return None
        with suppress(OSError):
            file.unlink()
            for folder in _folders(file, self._folder):
                folder.rmdir()
        return None if file.exists() else Path(os.path.relpath(file))

    def _read(self) -> dict[str, _Files]:
        try:
            text = unseal(self._file.name, regular_file.read(self._file, _MAX_BYTES))
            content = json.loads(text or b"null")
            if content["format"] != _FORMAT:
                return {}
            return {
                str(request): {str(path): tuple(map(int, numbers)) for path, numbers in files.items()}
                for request, files in content["requests"].items()
            }
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return {}

    def _write(self, requests: Mapping[str, _Files]) -> None:
        """Store the record; failing to do so is not an error."""
        text = json.dumps({"format": _FORMAT, "requests": requests})
        with suppress(CardgenError, OSError, ValueError):
            entry = seal(self._file.name, text.encode())
            if entry is not None:
                atomic_write.write(self._file, entry, durable=False, confined=False)
            fingerprint.prune_oldest(self._file.parent, _MOST_RECORDS)


def _identity(name: str, request: BuildRequest) -> str:
    """Return what distinguishes a request from others for the same folder: its target, and its choice of cards.

    With other options, such as another resolution, it replaces its files.
    """
    return repr(
        (name, request.only, request.kit, request.warband, tuple(map(str, request.paths)), request.changed_since)
    )


def _folders(file: Path, top: Path) -> Iterator[Path]:
    """Yield the folders of a file below the output folder, innermost first."""
    return (folder for folder in file.parents if folder != top and folder.is_relative_to(top))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
