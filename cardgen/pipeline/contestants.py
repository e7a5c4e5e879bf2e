"""Cards by name: the project's, and those that come with the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import Library, load
from cardgen.model.entry import Entry
from cardgen.model.links import links
from cardgen.pipeline.loading import GAMES, libraries
from cardgen.project import Project
from cardgen.project.codes import Code as ProjectCode
from cardgen.referee.codes import Code
from cardgen.rulesets.adjudication import Option
from cardgen.rulesets.ruleset import Ruleset
from cardgen.shape.suggestion import did_you_mean, listed

# What a card looks like and where it comes from is nothing to a referee.
LOOKS = {"art", "back", "template", "theme", "size", "motto", "credit", "tags", "note", "qty"}


class Contestants:
    """Finds cards of a game by id or name. The user's own come first; the program's are read only if one is missing."""

    def __init__(self, rules: Ruleset, paths: tuple[Path, ...] = ()) -> None:
        self._rules, self._paths = rules, paths

    def data(self, value: Any, option: Option) -> Any:
        """The value of an option, with the plain data of cards in place of their names."""
        match option.sort:
            case "card":
                return self.card_data(self.find(value, option.kinds))
            case "cards":
                return tuple(self.card_data(self.find(name, option.kinds)) for name in value)
            case "deck":
                return tuple(map(self.card_data, self.entries(option.kinds)))
            case "word" if option.words:
                return value.casefold()
        return value

    def card_data(self, entry: Entry) -> dict[str, Any]:
        """What a card does, as plain data of its model; the cards that it names stand in it with theirs."""
        data = entry.card.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=LOOKS)
        for link in links(entry.card):
            *way, last = link.route
            part: Any = data
            for step in way:
                part = part[step]
            part[last] = self.card_data(self.find(link.name, (link.kind,)))
        return {"kind": entry.kind, **data}

    def find(self, name: str, kinds: tuple[str, ...]) -> Entry:
        """The card of that id or name, in capitals or not. Raises CardgenError when there is none, or several."""
        for entries in self._shelves():
            found = [entry for entry in entries if entry.kind in kinds and _called(entry, name)]
            if len({entry.card.id for entry in found}) > 1:
                message = f"'{name}' is the name of {len(found)} cards"
                help_ = f"write an id: {listed(entry.card.id for entry in found)}"
                raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place(listed(kinds)), help_))
            if found:
                return found[0]
        raise self._unknown(name, kinds)

    def entries(self, kinds: tuple[str, ...]) -> list[Entry]:
        """All cards of some kinds from the first place that has any: what was named, the project, the program."""
        shelves = ([entry for entry in shelf if entry.kind in kinds] for shelf in self._shelves())
        return next(filter(None, shelves), [])

    def _shelves(self) -> Iterator[Iterable[Entry]]:
        """Where to look for a card, one after the other: what was named, the rest of the project, the program."""
        yield self._own
        for library in self._libraries:
            yield library(self._rules.id)

    @cached_property
    def _project(self) -> Project:
        return Project.find()

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        """The card files that were named, or all of the project, which may have none."""
        try:
            return self._project.card_files(self._paths)
        except CardgenError as error:
            if self._paths or any(each.code != ProjectCode.NO_CARDS for each in error.diagnostics):
                raise
            return ()

    @cached_property
    def _libraries(self) -> tuple[Library, ...]:
        return libraries(self._project, self._files)

    @cached_property
    def _own(self) -> tuple[Entry, ...]:
        """The cards of the game. Raises CardgenError with everything that is wrong in their files."""
        deck = load(self._project, self._files, GAMES, rulesets.default_game(), self._libraries)
        stop_on_errors(deck.diagnostics)
        return tuple(entry for entry in deck.cards if entry.game == self._rules.id)

    def _unknown(self, name: str, kinds: tuple[str, ...]) -> CardgenError:
        known = [entry.card.name for shelf in self._shelves() for entry in shelf if entry.kind in kinds]
        message = f"there is no {listed(kinds)} '{_short(name)}'{did_you_mean(name[:80], known)}"
        return CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place("cards"), "'cardgen list' shows all cards"))


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"


def _called(entry: Entry, name: str) -> bool:
    return name.casefold() in (entry.card.id, entry.card.name.casefold())
