"""Cards by id or name: in named files, the project, or the built-in cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place, stop_on_errors
from cardgen.model.deck import CardLibrary, read_deck
from cardgen.model.entry import Entry
from cardgen.model.references import find_links
from cardgen.pipeline.load.deck import KINDS_BY_GAME, libraries
from cardgen.project import Project
from cardgen.project.codes import Code as ProjectCode
from cardgen.referee.codes import Code
from cardgen.referee.trial import Parameter
from cardgen.rulesets import registry
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.suggestion import did_you_mean, join_words

# What a card looks like and where it comes from is nothing to a referee.
APPEARANCE_KEYS = {"art", "back", "template", "theme", "size", "motto", "credit", "tags", "note", "qty"}


class CardLookup:
    """Finds cards of a game by id or name. The user's own come first; the program's are read only if one is missing."""

    def __init__(self, rules: Ruleset, paths: tuple[Path, ...] = (), folder: Path | None = None) -> None:
        self._rules, self._paths, self._folder = rules, paths, folder

    def parameter_value(self, value: Any, parameter: Parameter) -> Any:
        """The value of an option, with the plain data of cards in place of their names, or of the cards themselves."""
        match parameter.sort:
            case "card":
                return self.card_data(self._resolve(value, parameter.kinds))
            case "cards":
                return tuple(self.card_data(self._resolve(each, parameter.kinds)) for each in value)
            case "deck":
                return tuple(map(self.card_data, self.entries(parameter.kinds)))
            case "word" if parameter.words:
                return value.casefold()
        return value

    def card_data(self, entry: Entry) -> dict[str, Any]:
        """What a card does, as plain data of its model; the cards that it names stand in it with theirs."""
        data = entry.card.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=APPEARANCE_KEYS)
        for link in find_links(entry.card):
            *parents, last = link.key_path
            part: Any = data
            for step in parents:
                part = part[step]
            part[last] = self.card_data(self.find(link.name, (link.kind,)))
        return {"kind": entry.kind, **data}

    def _resolve(self, value: str | Entry, kinds: tuple[str, ...]) -> Entry:
        """Return the card itself, or the one of that name. Raises CardgenError for a card of another kind or game."""
        if isinstance(value, str):
            return self.find(value, kinds)
        if value.game == self._rules.id and value.kind in kinds:
            return value
        is_other = value.game != self._rules.id
        actual, expected = (value.game, self._rules.id) if is_other else (value.kind, join_words(kinds))
        message = f"'{value.card.name}' is a card of {'the game' if is_other else 'the kind'} {actual}, not {expected}"
        raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, value.place(("name",))))

    def find(self, name: str, kinds: tuple[str, ...]) -> Entry:
        """The card of that id or name, in capitals or not. Raises CardgenError when there is none, or several."""
        for entries in self._sources():
            matches = [entry for entry in entries if entry.kind in kinds and _has_name(entry, name)]
            if len({entry.card.id for entry in matches}) > 1:
                message = f"'{name}' is the name of {len(matches)} cards"
                help_ = f"write an id: {join_words(entry.card.id for entry in matches)}"
                raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place(join_words(kinds)), help_))
            if matches:
                return matches[0]
        raise self._unknown_card(name, kinds)

    def entries(self, kinds: tuple[str, ...]) -> list[Entry]:
        """All cards of some kinds from the first place that has any: what was named, the project, the program."""
        candidates = ([entry for entry in source if entry.kind in kinds] for source in self._sources())
        return next(filter(None, candidates), [])

    def _sources(self) -> Iterator[Iterable[Entry]]:
        """Where to look for a card, one after the other: what was named, the rest of the project, the program."""
        yield self._project_cards
        for library in self._libraries:
            yield library(self._rules.id)

    @cached_property
    def _project(self) -> Project:
        return Project.find(self._folder)

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        """The card files that were named, or all of the project, which may have none."""
        try:
            return self._project.find_card_files(self._paths)
        except CardgenError as error:
            if self._paths or any(each.code != ProjectCode.NO_CARDS for each in error.diagnostics):
                raise
            return ()

    @cached_property
    def _libraries(self) -> tuple[CardLibrary, ...]:
        return libraries(self._project, self._files)

    @cached_property
    def _project_cards(self) -> tuple[Entry, ...]:
        """The cards of the game. Raises CardgenError with everything that is wrong in their files."""
        deck = read_deck(self._project, self._files, KINDS_BY_GAME, registry.default_game(), self._libraries)
        stop_on_errors(deck.diagnostics)
        return tuple(entry for entry in deck.cards if entry.game == self._rules.id)

    def _unknown_card(self, name: str, kinds: tuple[str, ...]) -> CardgenError:
        names = [entry.card.name for source in self._sources() for entry in source if entry.kind in kinds]
        message = f"there is no {join_words(kinds)} '{_shorten(name)}'{did_you_mean(name[:80], names)}"
        return CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place("cards"), "'cardgen list' shows all cards"))


def _shorten(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"


def _has_name(entry: Entry, name: str) -> bool:
    return name.casefold() in (entry.card.id, entry.card.name.casefold())
