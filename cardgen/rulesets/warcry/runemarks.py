"""Runemarks, the symbols by which rules refer to fighters, and weapon shapes.

Each has an id, for which cards may also write its name ('Icon Bearer'), and an original icon with that id. The factions
and grand alliances are those of the battlepack's battle traits. The battlepack names Agile, Ally, Beast, Berserker,
Brute, Hero, Icon Bearer, Minion, Monster, Mount, and Warrior; the other runemarks come from public sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cardgen.game import read_keyed_lines, slugify


def _by_id(kind: str) -> Mapping[str, str]:
    """Return the names of a kind by their ids."""
    names = ",".join(line for key, line in _LINES if key == kind).split(",")
    return MappingProxyType({slugify(name): name.strip() for name in names})


_LINES = tuple(read_keyed_lines(Path(__file__).with_suffix(".txt")))
ALLIANCES, ROLES, SHAPES = _by_id("alliances"), _by_id("roles"), _by_id("shapes")
# The factions of each grand alliance.
FACTIONS_OF: Mapping[str, Mapping[str, str]] = MappingProxyType({alliance: _by_id(alliance) for alliance in ALLIANCES})
FACTIONS: Mapping[str, str] = MappingProxyType(dict(item for names in FACTIONS_OF.values() for item in names.items()))
RUNEMARKS: Mapping[str, str] = MappingProxyType({**ALLIANCES, **FACTIONS, **ROLES})
