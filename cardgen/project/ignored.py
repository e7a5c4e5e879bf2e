"""What Git ignores: the patterns of the files `.gitignore` of a repository, which are never cards."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cardgen.runtime import regular_file

# Of a file, and of all files of a repository together, because each pattern is compiled, and compared with each name.
_MAX_BYTES, _MOST_PATTERNS, _MOST_CHARACTERS = 256 * 2**10, 2_000, 64 * 2**10
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
    Neither are those of a file with which there would be more than 2,000, or more than 64 KiB, and of files after it.
    """

    def __init__(self, folder: Path) -> None:
        folder = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() would follow links
        self._top = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), None)
        self._rules_of = cache(self._rules_above)
        self._remaining, self._room = _MOST_PATTERNS, _MOST_CHARACTERS

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Return whether an absolute path in the folder is ignored; the last rule that matches decides."""
        folder, _, name = path.rpartition(os.sep)  # called for many files
        for base, names, rules in reversed(self._rules_of(folder)):
            steps = Path(path[base:]).parts
            for rule in reversed(rules) if names.fullmatch(name) else ():
                if (is_folder or not rule.only_folders) and _matches(rule.parts, steps):
                    return rule.ignores
        return False

    def _rules_above(self, folder: str) -> Sequence[tuple[int, re.Pattern[str], Sequence[_Rule]]]:
        """Return the rules for what is in a folder, those of the outermost folder first.

        Each has the number of characters before paths in its folder, and a pattern of the names that it may match.
        """
        at = Path(folder)
        if self._top is None or not at.is_relative_to(self._top):
            return ()
        own = [] if at == self._top else [*self._rules_of(str(at.parent))]
        rules = _read_rules(at) if self._remaining else ()
        length = sum(len(part) for rule in rules for part in rule.parts)
        if len(rules) > self._remaining or length > self._room:
            self._remaining = 0
        elif rules:
            self._remaining -= len(rules)
            self._room -= length
            names = "|".join(dict.fromkeys(translate(rule.parts[-1]) for rule in rules))
            own.append((len(folder) + 1, re.compile(names), rules))
        return own


def matches_pattern(line: str, path: str) -> bool:
    """Return whether a line of `.gitignore` ignores a path in its folder, or a folder that the path is in."""
    rule, parts = _read_rule(line), Path(path).parts
    ends = range(1, len(parts) + 1) if rule and rule.ignores else ()
    return any(
        rule is not None and _matches(rule.parts, parts[:end]) and (end < len(parts) or not rule.only_folders)
        for end in ends
    )


def _read_rules(folder: Path) -> Sequence[_Rule]:
    path = folder / ".gitignore"
    try:
        if path.is_symlink():  # Git does not follow these either.
            return ()
        text = regular_file.read(path, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ()
    return [rule for line in text.splitlines() if (rule := _read_rule(line))]


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
