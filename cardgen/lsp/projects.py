"""The projects that a client has open, and the files that belong to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from cardgen.editor.session import Session
from cardgen.editor.worker import ProjectState
from cardgen.runtime.fingerprint import find_settings_folder


def path_of(uri: str) -> Path | None:
    """Return the absolute path of a file's URI; None for other URIs, and for files of other computers."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in unquote(parts.path):
        return None
    text = url2pathname(parts.path)
    if text.replace("\\", "/").startswith("//"):  # Windows would sign in to the computer of that name
        return None
    path = Path(os.path.abspath(text))  # noqa: PTH100 - resolve() would follow links
    return path if path.is_absolute() else None


class OpenProject:
    """A project with open files; `generation` counts the changes of its files on the disk."""

    def __init__(self, root: Path, *, empty: bool = False) -> None:
        self.session = Session(root, empty=empty)
        self.generation = 0
        self.open_files: dict[Path, int | None] = {}

    def reload(self) -> None:
        """Read all files again."""
        self.generation += 1
        self.session.reload()

    @property
    def state(self) -> ProjectState:
        """What another process needs to see the same project."""
        return ProjectState(self.session.root, self.generation, self.session.unsaved)


class OpenProjects:
    """All projects of a client.

    Files outside of its folders belong to the folder with their settings. Without settings, they are alone: what is
    around them, such as the author's home folder, is not read.
    """

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._projects: dict[Path, OpenProject] = {}

    def __iter__(self) -> Iterator[OpenProject]:
        return iter(tuple(self._projects.values()))

    def add_folders(self, folders: Iterable[Path]) -> None:
        """Add folders of the client, and the projects whose settings they contain."""
        for folder in folders:
            self._folders.append(folder)
            if find_settings_folder(folder):
                self.project_of(folder / "cards")

    def remove_folders(self, folders: Iterable[Path]) -> None:
        """Remove folders of the client; projects with open files stay."""
        for folder in folders:
            self._folders = [each for each in self._folders if each != folder]
            kept = {root: each for root, each in self._projects.items() if root != folder or each.open_files}
            self._projects = kept

    def project_of(self, path: Path) -> OpenProject:
        """Return the project of a file, which is opened if necessary."""
        root = find_settings_folder(path.parent) or self._folder_of(path)
        place = root or path.parent
        known = self._projects.get(place)
        if known is None or (root and known.session.is_empty):
            self._projects[place] = OpenProject(place, empty=root is None)
        return self._projects[place]

    def _folder_of(self, path: Path) -> Path | None:
        around = [folder for folder in self._folders if path.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=None)
