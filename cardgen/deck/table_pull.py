"""Tables that are published on the web, which `cardgen table pull` downloads and keeps as files of the project.

The addresses are in the user's own settings, by project and file: what a project contains never starts a download.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.project import Project
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.download import DownloadError, download
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.runtime.user_folders import config_folder
from cardgen.runtime.workspace import Workspace
from cardgen.tables.json_file import read_json
from cardgen.tables.table import MAX_FILE_SIZE
from cardgen.tables.table_file import read_sheets

_SECONDS = 60.0
_ADDRESSES = "published.json"
_MOST_SETTINGS = 1 << 20
_JSON = (".json", ".jsonl", ".ndjson")
_PUBLISH = "in Google Sheets, use File > Share > Publish to web, choose 'Comma-separated values', and copy its address"


class PulledTable(NamedTuple):
    """A table that was downloaded: its file, its rows if it is a spreadsheet, and whether it has changed."""

    file: Path
    rows: int
    is_changed: bool


def pull_tables(
    files: Sequence[Path], url: str | None, *, force: bool, workspace: Workspace | None = None
) -> list[PulledTable]:
    """Download tables of the project, by default all that were downloaded before.

    An `url` is that of one file, and is kept in the user's settings. A file that has changed since the last download is
    replaced only by `force`. Raises CardgenError, and then has written no table.
    """
    project = Project.open(workspace)
    known = _read_addresses()
    own = known.setdefault(str(project.root), {})
    if url is not None and len(files) != 1:
        raise _error("--url is the address of one file", "cardgen table pull cards.csv --url https://…", "--url")
    # Links may have come since an address was kept.
    names = [_name(project, file) for file in files] or [_name(project, project.root / name) for name in own]
    if not names:
        raise _error(
            "no table of this project was downloaded before", "give a file and its --url", "cardgen table pull"
        )
    if url is not None:
        own[names[0]] = {"url": url}
    contents = {name: _download(project, name, own.get(name, {}), force=force) for name in names}
    pulled = []
    for name, content in contents.items():
        path = project.root / name
        rows = _count(path, name, content)
        is_changed = not path.is_file() or regular_file.read(path, MAX_FILE_SIZE) != content
        pulled.append(PulledTable(path, rows, is_changed))
    for each, (name, content) in zip(pulled, contents.items(), strict=True):
        if each.is_changed:
            atomic_write.write(each.file, content)
        own[name] = {"url": own[name]["url"], "digest": _digest(content)}
    atomic_write.write(_settings_file(), json.dumps(known, indent=1).encode(), confined=False, is_private=True)
    return pulled


def _name(project: Project, file: Path) -> str:
    """Return the path of a table in the project. Raises CardgenError if it is elsewhere, or no table."""
    path = project.require_inside((project.cwd / file).absolute())
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise _error("this is not the name of a table", f"use one of {', '.join(sorted(TABLE_SUFFIXES))}", str(file))
    return path.relative_to(project.root).as_posix()


def _download(project: Project, name: str, entry: Mapping[str, str], *, force: bool) -> bytes:
    path = project.root / name
    if "url" not in entry:
        raise _error("the address of this table is not known", f"give it once with --url; {_PUBLISH}", name)
    if path.is_file() and not force and _digest(regular_file.read(path, MAX_FILE_SIZE)) != entry.get("digest"):
        since = "since it was downloaded" if "digest" in entry else "or was never downloaded"
        raise _error(f"the file has changed {since}; left as it is", "keep what you need, then use --force", name)
    try:
        return download(entry["url"], MAX_FILE_SIZE, _SECONDS)
    except DownloadError as error:
        raise _error(str(error), f"check the address; {_PUBLISH}", name) from None


def _count(path: Path, name: str, content: bytes) -> int:
    """Return the number of rows of a table. Raises CardgenError if it cannot be read."""
    if content[:200].lstrip().lower().startswith((b"<!doctype", b"<html")):
        raise _error("the address leads to a web page, not to a table", _PUBLISH, name)
    if path.suffix.lower() in _JSON:
        try:
            read_json(content.decode("utf-8-sig"), name, lines=path.suffix.lower() != ".json")
        except UnicodeDecodeError as error:
            raise _error(f"the file is not valid UTF-8: byte {error.start + 1}", _PUBLISH, name) from None
        return 0
    return sum(len(table.rows) for table in read_sheets(path, name, {str(path.absolute()): content}).values())


def _settings_file() -> Path:
    return config_folder() / _ADDRESSES


def _read_addresses() -> dict[str, dict[str, dict[str, str]]]:
    """Return the addresses of tables by project and file, {} if none is known."""
    try:
        data: Any = json.loads(regular_file.read(_settings_file(), _MOST_SETTINGS))
        return {
            str(root): {str(name): {key: str(text) for key, text in entry.items()} for name, entry in files.items()}
            for root, files in data.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError):
        raise _error(
            "the addresses of tables cannot be read", "correct or remove the file", str(_settings_file())
        ) from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _error(message: str, advice: str, place: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_TABLE, message, Place(place), advice))
