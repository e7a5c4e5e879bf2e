"""A card project: its root folder, its settings, and its resource folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cardgen.diagnostic import CardgenError, Place
from cardgen.project import files
from cardgen.project.settings import Settings
from cardgen.source import Document, KeyPath, read_document
from cardgen.validation.source_map import SourceMap
from cardgen.validation.validate import validate


@dataclass(frozen=True, slots=True)
class Project:
    """The folder `root`, an absolute path, and its settings; `document` is its cardgen.yaml, if it has one.

    `cwd` is the folder that the paths in messages start from: the current folder when the project was read.
    """

    root: Path
    settings: Settings = field(default_factory=Settings.model_construct)
    document: Document | None = field(default=None, repr=False, compare=False)
    cwd: Path = field(default_factory=Path.cwd, repr=False, compare=False)

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """The project that the folder `start` belongs to, or the current folder: the next cardgen.yaml upward.

        Without one the folder itself is the project, with all defaults. Raises CardgenError when the settings are
        wrong.
        """
        folder = Path(os.path.abspath(start or Path.cwd()))  # noqa: PTH100 - resolve() would follow links
        for root in (folder, *folder.parents):
            if (root / files.SETTINGS_FILE).is_file():
                return cls._read(root)
        return cls(folder)

    @classmethod
    def _read(cls, root: Path) -> Project:
        path = root / files.SETTINGS_FILE
        document = read_document(path, files.display_path(path))
        source_map = SourceMap(document, (Settings,))
        is_empty = document.data is None
        settings, problems = validate(Settings, {} if is_empty else document.data, source_map)
        if document.diagnostics or settings is None:
            raise CardgenError(*document.diagnostics, *problems)
        return cls(root, settings, document)

    def place(self, key_path: KeyPath = ()) -> Place:
        """Where a setting stands, such as ('sizes', 'minion'); the whole folder where there is no cardgen.yaml."""
        if self.document is None:
            return Place(files.display_path(self.root))
        return SourceMap(self.document, (Settings,)).place(key_path)

    def folders(self, name: str) -> tuple[Path, ...]:
        """The folders called `name` that exist, such as 'templates': the project's own before the built-in one."""
        candidates = dict.fromkeys((self.root / name, files.built_in_folder(name)))
        return tuple(folder for folder in candidates if folder.is_dir())

    def resolve_inside(self, text: str, base: Path | None = None) -> Path:
        """The file that `text` means for a file in the folder `base`, by default the root; it need not exist.

        Raises ValueError with a sentence for the user when it is no relative path, or leads out of the project.
        """
        return files.resolve_inside(self.root, text, base or self.root)

    def display_path(self, path: Path) -> str:
        """The path as the user would type it: relative to the current folder when inside it, with slashes."""
        return files.display_path(path)

    def find_card_files(self, targets: Iterable[Path] = ()) -> tuple[Path, ...]:
        """The card files under `named` paths, or all of the project, in an order that is the same everywhere.

        Raises CardgenError for paths that are missing, that are no card files, or that lead nowhere but to none.
        """
        return files.find_card_files(self.root, targets)
