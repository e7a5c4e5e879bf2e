"""Rulings: switches for rules that a rulebook leaves open or contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from cardgen.diagnostic import UnknownName, join_words

RULING, POLICY = "ruling", "policy"


class Ruling(NamedTuple):
    """A question that the rulebook leaves open, and its possible answers.

    `settings` has a sentence for each setting; the first setting is the default.
    """

    id: str
    question: str
    settings: Mapping[str, str]

    @property
    def default(self) -> str:
        """The setting that applies unless a project overrides it."""
        return next(iter(self.settings))


def default_settings(rulings: Iterable[Ruling]) -> dict[str, str]:
    """Return the default settings of rulings by id."""
    return {ruling.id: ruling.default for ruling in rulings}


def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """Return the rulings in a text file.

    A ruling is a line `ID: QUESTION`, followed by an indented line `SETTING: ANSWER` for each setting. Raises
    ValueError for a line without a colon.
    """
    questions: dict[str, str] = {}
    settings: dict[str, dict[str, str]] = {}
    for name, text in read_keyed_lines(path):
        if name.startswith(" "):
            settings[list(questions)[-1]][name.strip()] = text
        else:
            questions[name], settings[name] = text, {}
    return tuple([Ruling(name, text, MappingProxyType(settings[name])) for name, text in questions.items()])


def read_keyed_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield key and text of each line `KEY: TEXT` in a file.

    Keys keep their indentation, and lines that begin with '#' are comments. Raises ValueError for any other line.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        key, colon, text = line.partition(": ")
        if colon and not line.startswith("#"):
            yield key, text
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"{path}:{number}: write 'NAME: TEXT'")


def settings_in_force(
    rulings: Iterable[Ruling], overrides: Mapping[str, str], what: str = RULING
) -> tuple[dict[str, str], tuple[UnknownName, ...]]:
    """Return the settings of rulings or policies with overrides, and unknown names.

    The settings are by the id of the ruling. Unknown rulings and settings have no effect. The `path` of an unknown name
    leads to it in `overrides`. `what` says what they are.
    """
    by_id = {ruling.id: ruling for ruling in rulings}
    settings = default_settings(by_id.values())
    unknown = []
    for name, setting in overrides.items():
        if name not in by_id:
            unknown.append(UnknownName(what, name, tuple(by_id), (name,)))
        elif setting not in by_id[name].settings:
            unknown.append(UnknownName(f"'{name}' setting", setting, tuple(by_id[name].settings), (name,)))
        else:
            settings[name] = setting
    return settings, tuple(unknown)


def switch_help(problem: UnknownName, others: Iterable[Ruling]) -> str:
    """Return what to write instead of an unknown ruling or policy; `others` are the policies, or the rulings."""
    for other in others:
        if other.id == problem.name and problem.what in (RULING, POLICY):
            kind = POLICY if problem.what == RULING else RULING
            settings = join_words([*other.settings])
            return f"'{other.id}' is a {kind}: write --{kind} {other.id}=SETTING, with {settings} as its setting"
    return problem.help
