"""Factions, runemarks, and weapon shapes of a project, from its cardgen.yaml."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import AfterValidator, PrivateAttr, model_validator

from cardgen.game import MAX_NAME_LENGTH, Field, GameSettings, Model, Text, did_you_mean, slugify
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, FACTIONS_OF, ROLES, RUNEMARKS, SHAPES

if TYPE_CHECKING:
    from cardgen.game import KeyPath

# Icons that cards use for something else.
RESERVED_ICONS = frozenset((
    "double", "triple", "quad", "reaction", "action", "free", "wild", "move", "toughness", "wounds", "objective",
))  # fmt: skip
_LETTER = re.compile(r"[A-Za-z0-9]")
_OTHER_NAME = "choose another name"


def _new_name(taken: Iterable[str], what: str) -> Callable[[str], str]:
    """Return a validator of names that refuses those of the game."""

    def check(name: str) -> str:
        mark = slugify(name)
        if not _LETTER.search(name):
            raise limits.OWN_NAME.error("'{name}' has no letter from a to z and no digit", name=name)
        if mark in taken:
            raise limits.OWN_NAME.error(f"'{{name}}' is already a {what} of the game", name=name, help="remove it")
        if what == "runemark" and (mark in RESERVED_ICONS or mark.startswith("weapon-")):
            raise limits.OWN_NAME.error("'{name}' is an icon of the game", name=name, help=_OTHER_NAME)
        return name

    return check


def _check_alliance(name: str) -> str:
    alliance = slugify(name)
    if alliance not in ALLIANCES:
        known = ", ".join(ALLIANCES)
        message = "unknown grand alliance '{name}'{guess}"
        raise limits.OWN_NAME.error(
            message, name=name, guess=did_you_mean(alliance, ALLIANCES), help=f"use one of {known}"
        )
    return alliance


_Name = Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
RunemarkName = Annotated[_Name, AfterValidator(_new_name(RUNEMARKS, "runemark"))]
ShapeName = Annotated[_Name, AfterValidator(_new_name(SHAPES, "shape"))]
Alliance = Annotated[Text, AfterValidator(_check_alliance)]


class Settings(GameSettings):
    """A project's own factions, with their grand alliances, runemarks, and weapon shapes.

    Each has an id, which is derived from its name, and is its icon: that of a shape begins with 'weapon-'.
    """

    factions: Annotated[Mapping[RunemarkName, Alliance], Field(description="the grand alliance of each faction")] = (
        Field(default_factory=dict)
    )
    runemarks: Annotated[tuple[RunemarkName, ...], Field(description="runemarks for roles of fighters")] = ()
    shapes: Annotated[tuple[ShapeName, ...], Field(description="shapes of weapons")] = ()

    @model_validator(mode="after")
    def _refuse_duplicates(self) -> Self:
        factions = ((name, ("factions", name)) for name in self.factions)
        _require_distinct((*factions, *_with_paths("runemarks", self.runemarks)))
        _require_distinct(_with_paths("shapes", self.shapes))
        return self

    @cached_property
    def all_factions(self) -> Mapping[str, str]:
        """Names of all factions by id, those of the game first."""
        return {**FACTIONS, **_by_id(self.factions)}

    @cached_property
    def all_roles(self) -> Mapping[str, str]:
        """Names of all runemarks for roles by id."""
        return {**ROLES, **_by_id(self.runemarks)}

    @cached_property
    def all_runemarks(self) -> Mapping[str, str]:
        """Names of all runemarks by id: grand alliances, factions, and roles."""
        return {**ALLIANCES, **self.all_factions, **self.all_roles}

    @cached_property
    def all_shapes(self) -> Mapping[str, str]:
        """Names of all weapon shapes by id."""
        return {**SHAPES, **_by_id(self.shapes)}

    @cached_property
    def _alliances(self) -> Mapping[str, str]:
        built_in = {mark: alliance for alliance, factions in FACTIONS_OF.items() for mark in factions}
        own = {slugify(name): alliance for name, alliance in self.factions.items()}
        return {**{mark: mark for mark in ALLIANCES}, **built_in, **own}

    def alliance_of(self, mark: str) -> str:
        """Return the grand alliance of a faction or alliance, or ''."""
        return self._alliances.get(mark, "")

    def factions_of(self, alliance: str) -> Mapping[str, str]:
        """Return the names of the factions of a grand alliance by id."""
        return {mark: name for mark, name in self.all_factions.items() if self.alliance_of(mark) == alliance}

    def name_of(self, mark: str) -> str:
        """Return the name of a runemark, or the words of its id."""
        return self.all_runemarks.get(mark) or _words(mark)

    @property
    def generated_icons(self) -> tuple[str, ...]:
        """Icons of the project's own runemarks and shapes."""
        shapes = (f"weapon-{shape}" for shape in _by_id(self.shapes))
        return (*_by_id(self.factions), *_by_id(self.runemarks), *shapes)


class MarkedModel(Model):
    """A model with runemarks; `settings` are those of its project."""

    _settings: Settings = PrivateAttr(default_factory=Settings.in_force)

    @property
    def settings(self) -> Settings:
        """The settings of the project that it belongs to."""
        return self._settings


def _with_paths(key: str, names: tuple[str, ...]) -> "Iterator[tuple[str, KeyPath]]":
    return ((name, (key, index)) for index, name in enumerate(names))


def _require_distinct(names: "Iterable[tuple[str, KeyPath]]") -> None:
    """Raise an error for the first name with the id of an earlier one."""
    ids: set[str] = set()
    for name, path in names:
        mark = slugify(name)
        if mark in ids:
            raise limits.OWN_NAME.error(
                "duplicate id '{mark}'", mark=mark, help=_OTHER_NAME, path=path, at_key=isinstance(path[-1], str)
            )
        ids.add(mark)


def _by_id(names: Iterable[str]) -> Mapping[str, str]:
    """Return names by id; a name that is written as an id is put in words."""
    return {slugify(name): _words(name) if name == slugify(name) else name for name in names}


def _words(mark: str) -> str:
    return mark.replace("-", " ").title()


def alliance_of(mark: str) -> str:
    """Return the grand alliance of a faction or alliance in the project that is read, or ''."""
    return Settings.in_force().alliance_of(mark)


def name_of(mark: str) -> str:
    """Return the name of a runemark in the project that is read."""
    return Settings.in_force().name_of(mark)
