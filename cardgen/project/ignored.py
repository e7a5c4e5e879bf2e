"""What Git ignores: the patterns of the files `.gitignore` of a repository, which are never cards."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import translate
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from cardgen.runtime import regular_file

_MAX_BYTES = 256 * 2**10
_ESCAPED = re.compile(r"\\(.)")
_ANY = "**"


class _Rule(NamedTuple):
    """A line: the patterns of the parts of a path, and what it says of paths that match."""

    parts: tuple[str, ...]
    only_folders: bool
    ignores: bool


class GitIgnore:
    """The files and folders below a folder that Git ignores; none outside of a repository.

    Files that Git tracks although a pattern matches them count as ignored, and patterns of the user's own are not read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.abspath(folder)  # noqa: PTH100 - resolve() would follow links
        self._rules = cache(_read_rules)

    @cached_property
    def _top(self) -> str:
        """The folder of the repository, or ''."""
        folder = Path(self._folder)
        return next((str(each) for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), "")

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Return whether a path in the folder is ignored; the last rule that matches decides."""
        top = self._top
        if not top:
            return False
        steps, ignored = Path(os.path.relpath(path, top)).parts, False
        for depth in range(len(steps)):
            last, rules = self._rules(os.path.join(top, *steps[:depth]))  # noqa: PTH118 - called for many paths
            for rule in rules if last and last.fullmatch(steps[-1]) else ():
                if (is_folder or not rule.only_folders) and _matches(rule.parts, steps[depth:]):
                    ignored = rule.ignores
        return ignored


def _read_rules(folder: str) -> tuple[re.Pattern[str] | None, Sequence[_Rule]]:
    """Return the rules of a folder, and a pattern of the names of all files and folders that one of them may match."""
    try:
        text = regular_file.read(Path(folder, ".gitignore"), _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return None, ()
    rules = [rule for line in text.splitlines() if (rule := _read_rule(line))]
    names = dict.fromkeys(translate(rule.parts[-1]) for rule in rules)
    return re.compile("|".join(names)) if names else None, rules


def _read_rule(line: str) -> _Rule | None:
    text = line.rstrip()
    if not text or text.startswith("#"):
        return None
    ignores = not text.startswith("!")
    pattern = _ESCAPED.sub(_literal, text if ignores else text[1:])
    own = pattern.rstrip("/")
    if not own:
        return None
    anchored = "/" in own
    parts = tuple(own.removeprefix("/").split("/"))
    return _Rule(parts if anchored else (_ANY, *parts), own != pattern, ignores)


def _literal(match: re.Match[str]) -> str:
    return f"[{match[1]}]" if match[1] in "*?[" else match[1]


def _matches(patterns: Sequence[str], steps: Sequence[str]) -> bool:
    """Return whether patterns match all steps of a path; `**` matches any number of them, at the end at least one."""
    reached = {0}
    for number, pattern in enumerate(patterns):
        if pattern == _ANY:
            is_last = number == len(patterns) - 1
            reached = set(range(min(reached) + is_last, len(steps) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(steps) and _compiled(pattern).fullmatch(steps[at])}
        if not reached:
            return False
    return len(steps) in reached


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))
