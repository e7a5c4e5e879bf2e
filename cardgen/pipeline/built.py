"""What came of a build; light, for a build with nothing to do loads little more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What was built: the files that were written, and counts; `copies` counts every print of every card.

    `files` are all that belong to the build, `written` those of them that are new or different. `removed` are files of
    the build before that belong to it no more. `unchanged` says that there was nothing to do.
    """

    files: tuple[Path, ...]
    written: tuple[Path, ...]
    cards: int
    copies: int
    sheets: int
    seconds: float
    removed: tuple[Path, ...] = ()
    unchanged: bool = False

    @property
    def summary(self) -> str:
        """One line for the end of a build."""
        counts = [_count_of(len(self.files), "file"), _count_of(self.cards, "card")]
        if self.sheets:
            counts += [_count_of(self.copies, "copy", "copies"), _count_of(self.sheets, "sheet")]
        done = "unchanged since the last build" if self.unchanged else f"in {self.seconds:.1f} s"
        return f"{', '.join(counts)} {done}"


def _count_of(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"
