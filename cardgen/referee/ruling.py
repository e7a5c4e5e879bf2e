"""Rulings: house rules as switches, where a rulebook is silent or contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgen.validation.suggestion import UnknownName


class Ruling(NamedTuple):
    """A question that the rulebook leaves open, and its answers: a sentence for each setting. The first is in force."""

    id: str
    question: str
    settings: Mapping[str, str]

    @property
    def default(self) -> str:
        """The setting that holds unless a project turns it over."""
        return next(iter(self.settings))


def default_settings(rulings: Iterable[Ruling]) -> dict[str, str]:
    """Return the setting of every ruling by id where nothing is turned over."""
    return {ruling.id: ruling.default for ruling in rulings}


def settings_in_force(
    rulings: Iterable[Ruling], overrides: Mapping[str, str]
) -> tuple[dict[str, str], tuple[UnknownName, ...]]:
    """The setting of every ruling by id, after a project has turned some over.

    A ruling or a setting that is unknown changes nothing and comes back as a value of the second tuple; its
    `path` is the way to it in `turned`.
    """
    by_id = {ruling.id: ruling for ruling in rulings}
    settings = default_settings(by_id.values())
    unknown = []
    for name, setting in overrides.items():
        if name not in by_id:
            unknown.append(UnknownName("ruling", name, tuple(by_id), (name,)))
        elif setting not in by_id[name].settings:
            unknown.append(UnknownName(f"setting of '{name}'", setting, tuple(by_id[name].settings), (name,)))
        else:
            settings[name] = setting
    return settings, tuple(unknown)
