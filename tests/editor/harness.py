"""A project in an editor, with the position marked by '|'."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cardgen.editor import completion, hover, references
from cardgen.editor.completion import Completion
from cardgen.editor.hover import Hover
from cardgen.editor.session import Session
from cardgen.editor.subject import Cursor, cursor_at
from cardgen.editor.text import Location, TextEdit, apply_edits

RELIC = """kind: relic
name: Test Cloak
motto: Seen too late.
effects:
  - {when: attacked, if: {range_over: 12}, attacker: {mind: -1, spirit: -1}}
"""
WARBAND = """kind: warband
name: The Oath 🎲 é
members:
  - {character: Old Gravel, relic: Test Cloak}  # the leader
  - {character: old-gravel, relic: test-cloak}
"""
HERO = """kind: character
name: Old Gravel
stats: {M: 4, B: 4, S: 3, W: 5, Mo: 10}
weapons:
  - Fist: CW R1 P1 D1
"""


class Editor:
    """A project with files, whose texts can be changed without saving."""

    def __init__(self, root: Path, files: Mapping[str, str]) -> None:
        self.root = root
        for name, text in {"cardgen.yaml": "game: warniris\n", **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.session = Session(root)

    def path(self, name: str) -> Path:
        return self.root / name

    def write(self, name: str, marked: str) -> tuple[Path, int, int]:
        """Set the unsaved text of a file, and return the place of '|' in it."""
        before, _, after = marked.partition("|")
        self.session.set_text(self.path(name), before + after)
        return self.path(name), before.count("\n") + 1, len(before) - before.rfind("\n")

    def cursor(self, name: str, marked: str) -> tuple[Path, Cursor | None]:
        path, line, column = self.write(name, marked)
        return path, cursor_at(self.session.document(path), line, column)

    def completions(self, name: str, marked: str) -> list[Completion]:
        offset = marked.index("|")
        text = marked.replace("|", "", 1)
        return self.session.ask(lambda loaded: completion.completions(loaded, self.path(name), text, offset))

    def labels(self, name: str, marked: str) -> list[str]:
        return [each.label for each in self.completions(name, marked)]

    def hover(self, name: str, marked: str) -> Hover | None:
        path, cursor = self.cursor(name, marked)
        if cursor is None:
            return None
        return self.session.ask(lambda loaded: hover.hover(self.session, loaded, path, cursor))

    def definitions(self, name: str, marked: str) -> list[Location]:
        path, cursor = self.cursor(name, marked)
        assert cursor
        return self.session.ask(lambda loaded: references.definitions(self.session, loaded, path, cursor))

    def references(self, name: str, marked: str) -> list[Location]:
        path, cursor = self.cursor(name, marked)
        assert cursor
        return self.session.ask(lambda loaded: references.references(self.session, loaded, path, cursor, own=True))

    def rename(self, name: str, marked: str, new: str) -> dict[str, str]:
        """Return the texts of the files that renaming changes."""
        path, cursor = self.cursor(name, marked)
        assert cursor
        edits = self.session.ask(lambda loaded: references.rename_edits(self.session, loaded, path, cursor, new))
        by_file: dict[Path, list[TextEdit]] = {}
        for edit in edits:
            by_file.setdefault(edit.path, []).append(edit)
        return {
            file.relative_to(self.root).as_posix(): apply_edits(self.session.text(file), each)
            for file, each in by_file.items()
        }
