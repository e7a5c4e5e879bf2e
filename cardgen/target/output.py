"""Files of an export, collected first and written at the end."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeAlias

from cardgen.diagnostic import CardgenError, slugify
from cardgen.print.request import BuildRequest
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.atomic_write import ScratchFile
from cardgen.runtime.fingerprint import WRITTEN, Stamp, stamp
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal

# The earliest date that a ZIP archive can hold.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100644 << 16


class OutputFiles:
    """Files by their path below the output folder, with forward slashes.

    They are held in temporary files, so that an export that fails writes nothing.
    """

    def __init__(self) -> None:
        self._contents: dict[str, tuple[IO[bytes], int]] = {}

    def add(self, path: str, content: bytes | ScratchFile) -> None:
        """Add a file. Raises CardgenError if there is no room for temporary files."""
        if path in self._contents:
            raise ValueError(f"two files are called {path}")
        if any(part in ("", ".", "..") or not {":", "\\"}.isdisjoint(part) for part in path.split("/")):
            raise ValueError(f"{path} is not below the output folder")
        scratch = content if isinstance(content, ScratchFile) else ScratchFile()
        if isinstance(content, bytes):
            scratch.write(content)
        scratch.check()
        self._contents[path] = (scratch, scratch.seek(0, 2))

    def write(self, folder: Path) -> dict[Path, int]:
        """Write all files or none, and return their sizes in bytes. Raises CardgenError if one cannot be written."""
        atomic_write.write_all({folder / path: content for path, (content, _) in self._contents.items()}, folder)
        return {folder / path: size for path, (_, size) in self._contents.items()}


def zip_archive(files: Mapping[str, bytes], *, compress: bool = False) -> bytes:
    """Return a ZIP archive that is the same for the same files."""
    archive = BytesIO()
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(archive, "w", method) as target:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            info.external_attr = _REGULAR_FILE
            info.compress_type = method
            target.writestr(info, content)
    return archive.getvalue()


# The folder of an export: one for all cards, and others for parts of them, so that none replaces another's files.


def part_folder(whole: Path, options: Mapping[str, Any], paths: Collection[Path] = ()) -> Path:
    """Return the folder of an export: `whole` for all cards, or one beside it for the cards that options select.

    `paths` are the card files of the export if they are not those of the project.
    """
    parts = [whole.name]
    if warband := options.get("warband"):
        parts.append(slugify(warband))
    if options.get("only") or paths:
        parts.append("selection")
    if release := options.get("changed_since"):
        from cardgen.releases.selection import file_name_part  # loaded here because few exports need it

        parts.append(f"since-{file_name_part(release)}")
    return whole.with_name("-".join(parts))


# Records of exports, by which files that an export no longer has are removed.
# A record lists the files of each request for an output folder. Records are in the user's cache folder, one file per
# output folder; one that is missing or broken means that nothing is removed.

_FORMAT = 1
_MOST_RECORDS, _MOST_REQUESTS = 200, 50
_MAX_BYTES = 64 * 2**20
_Files: TypeAlias = dict[str, Stamp]


class ExportRecord:
    """The record of the output folder of a request; `name` is that of the target."""

    def __init__(self, name: str, request: BuildRequest) -> None:
        self._folder = Path(os.path.abspath(request.output))  # noqa: PTH100 - resolve() would follow links
        # What distinguishes a request from others for the same folder: its target, and its choice of cards. With other
        # options, such as another resolution, it replaces its files.
        identity = repr(
            (name, request.only, request.kit, request.warband, tuple(map(str, request.paths)), request.changed_since)
        )
        self._request = _digest(identity)
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
        # Store the record; failing to do so is not an error.
        recent = {**dict(list(requests.items())[1 - _MOST_REQUESTS :]), self._request: current}
        text = json.dumps({"format": _FORMAT, "requests": recent})
        with suppress(CardgenError, OSError, ValueError):
            entry = seal(self._file.name, text.encode())
            if entry is not None:
                atomic_write.write(self._file, entry, durable=False, confined=False)
            prune_oldest(self._file.parent, _MOST_RECORDS)
        return tuple(path for path in removed if path is not None)

    def _remove(self, path: str, recorded: Stamp) -> Path | None:
        """Remove a file that is as it was written, and folders that are empty then; return its path from here."""
        file = Path(path)
        inside = file.parent.resolve().is_relative_to(self._folder.resolve())
        if not inside or stamp(file, WRITTEN, follow_links=False) != recorded:
            return None
        with suppress(OSError):
            file.unlink()
            for folder in file.parents:  # innermost first
                if folder != self._folder and folder.is_relative_to(self._folder):
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


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
