"""Lookup of a game's cards by id or name, and their rules as plain data, for referees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cardgen.deck.card_index import CardSource, library_of
from cardgen.deck.deck import card_files, indexed_sources
from cardgen.diagnostic import (
    CardgenError,
    Code,
    Diagnostic,
    Place,
    did_you_mean,
    join_words,
    stop_on_errors,
)
from cardgen.model.card import Entry
from cardgen.model.deck import (
    ALL_NAMES,
    Links,
    find_links,
    with_links,
)
from cardgen.project.project import Project
from cardgen.referee.parameters import Parameter
from cardgen.rulesets.ruleset import Ruleset, SizeByField
from cardgen.units import Size, with_article
from cardgen.validation.validate import describe_value

# Keys that do not matter to a referee: appearance and origin of a card.
APPEARANCE_KEYS = {
    "art",
    "back",
    "blazon",
    "template",
    "theme",
    "language",
    "size",
    "motto",
    "credit",
    "tags",
    "note",
    "qty",
    "draft",
}

_ARGUMENT = Place("CARD")


class CardLookup:
    """Lookup of a game's cards by id or name.

    The user's cards have priority; built-in cards are read only if needed.
    """

    def __init__(
        self,
        rules: Ruleset,
        paths: tuple[Path, ...] = (),
        project: Project | None = None,
        cards: tuple[Entry, ...] | None = None,
        needed: Collection[Path] | None = None,
    ) -> None:
        """Look in files or the project, by default that of the current folder; `cards`, if given, take their place.

        `needed` are the absolute paths of files that must have no errors, by default all; in others, the cards that
        cannot be read are left out.
        """
        self._rules, self._paths, self._needed = rules, paths, needed
        self._given_project, self._given_cards = project, cards

    def parameter_value(self, value: Any, parameter: Parameter) -> Any:
        """Return the value of a parameter, with card data for cards.

        Cards can be given by name or as entries. Raises CardgenError for a value of another type, which sheets can
        contain.
        """
        match parameter.sort:
            case "card":
                return self.card_data(self._resolve(value, parameter.kinds))
            case "cards":
                if not isinstance(value, list | tuple):
                    raise _wrong_value_error(f"must be a list of cards, not {describe_value(value)}")
                return tuple(self.card_data(self._resolve(each, parameter.kinds)) for each in value)
            case "deck":
                return tuple(map(self.card_data, self.entries(parameter.kinds)))
            case "library":
                return tuple(map(self.card_data, self.all_entries(parameter.kinds)))
            case "sizes":
                return self.widths(parameter.kinds[0])
            case "word" if parameter.words and isinstance(value, str):
                return value.casefold()
            case "word" if type(value) is int:  # As sheets and programs write 'damage: 2', where d6 is possible, too.
                return str(value)
        return value

    def card_data(self, entry: Entry, around: frozenset[tuple[str, str]] = frozenset()) -> dict[str, Any]:
        """Return the rules of a card as plain data.

        Cards that it names are replaced by their data, except those `around` it, which stay names.
        """
        around |= {(entry.kind, entry.card.id)}
        data = entry.card.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=APPEARANCE_KEYS)
        for link in find_links(entry.card):
            *parents, last = link.key_path
            part: Any = data
            for step in parents:
                part = part[step]
            linked = self.find(link.name, link.kinds)
            is_around = (linked.kind, linked.card.id) in around
            part[last] = linked.card.name if is_around else self.card_data(linked, around)
        return {"kind": entry.kind, **data}

    def linked(self, entry: Entry) -> Entry:
        """Return a card with the cards that it names, as it is drawn. Raises CardgenError if one is unknown."""
        targets = {(link.kind, link.name): self.find(link.name, link.kinds) for link in find_links(entry.card)}
        return with_links(entry, Links(targets, self.linked)) if targets else entry

    def _resolve(self, value: str | Entry, kinds: tuple[str, ...]) -> Entry:
        """Return the entry, or the card of that name.

        Raises CardgenError for a card of another kind or game.
        """
        if isinstance(value, str):
            return self.find(value, kinds)
        if not isinstance(value, Entry):
            raise _wrong_value_error(
                f"must be the name of {with_article(join_words(kinds))}, not {describe_value(value)}"
            )
        if value.game == self._rules.id and value.kind in kinds:
            return value
        is_other = value.game != self._rules.id
        actual, expected = (value.game, self._rules.id) if is_other else (value.kind, join_words(kinds))
        message = f"'{value.card.name}' must be a card of {'the game' if is_other else 'kind'} {expected}, not {actual}"
        raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, value.place(("name",))))

    def find(self, name: str, kinds: tuple[str, ...], place: Place = _ARGUMENT) -> Entry:
        """Return the card with an id or name, ignoring case.

        Raises CardgenError at `place` if no card or several match.
        """
        for entries in self._sources(kinds, name):
            matches = [entry for entry in entries if _has_name(entry, name)]
            if len({entry.card.id for entry in matches}) > 1:
                message = f"ambiguous name '{name}': {len(matches)} cards match"
                help_ = f"use an id: {join_words(entry.card.id for entry in matches)}"
                raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, place, help_))
            if matches:
                return matches[0]
        raise self._unknown_card(name, kinds, place)

    def entries(self, kinds: tuple[str, ...]) -> list[Entry]:
        """Return all cards of some kinds from the first nonempty source.

        Sources are the named files, the project, and the built-in cards.
        """
        return next(filter(None, self._sources(kinds)), [])

    def all_entries(self, kinds: tuple[str, ...]) -> list[Entry]:
        """Return the cards of some kinds from all sources; of several with the same id, the first."""
        by_id: dict[tuple[str, str], Entry] = {}
        for source in self._sources(kinds):
            for entry in source:
                by_id.setdefault((entry.kind, entry.card.id), entry)
        return [*by_id.values()]

    def widths(self, kind: str) -> dict[str, float]:
        """Return the widths of a kind in mm by the field that decides its size, as the project has set them."""
        size, own = self._rules.kinds[kind].size, self._project.settings.sizes.get(kind)
        assert isinstance(size, SizeByField)
        if isinstance(own, Size):
            return dict.fromkeys(size.sizes, own.width)
        return {word: each.width for word, each in size.with_sizes(own or {}).sizes.items()}

    def _sources(self, kinds: tuple[str, ...], name: str | None = None) -> Iterator[list[Entry]]:
        """Yield the cards of some kinds, and only those that can have a name, from each source.

        Sources are the named files, the rest of the project, and the built-in cards.
        """
        game, names = self._rules.id, ALL_NAMES if name is None else frozenset((name,))
        own, *others = self._indexed
        if self._given_cards is None:
            # The cards of files that have cards of some kinds with these names, by default with any. A card that is
            # nowhere can be in any file with errors.
            source = own(game)
            files = source.files_with(self._rules.id, kinds, names)
            if not files or not names:
                files = [*files, *source.files_with_errors]
            deck = source.deck(source.needed_files(files), [library_of(each) for each in self._indexed])
            stop_on_errors(each for each in deck.diagnostics if self._is_needed(each.place.file))
            first = deck.cards
        else:
            first = self._given_cards
        libraries = (library_of(each)(game, frozenset(kinds), names) for each in others)
        for entries in chain((first,), libraries):
            yield [entry for entry in entries if entry.game == game and entry.kind in kinds]

    @cached_property
    def _project(self) -> Project:
        return self._given_project or Project.find()

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        """The named card files, or all of the project, if any."""
        return card_files(self._project, self._paths)

    @cached_property
    def _indexed(self) -> Sequence[Callable[[str], CardSource]]:
        return indexed_sources(self._project, self._files)

    def _is_needed(self, file: str) -> bool:
        return self._needed is None or Path(file).absolute() in self._needed

    def _unknown_card(self, name: str, kinds: tuple[str, ...], place: Place) -> CardgenError:
        indexed = self._indexed if self._given_cards is None else self._indexed[1:]
        given = [entry.card.name for entry in self._given_cards or () if entry.kind in kinds]
        known = (card.name for source in indexed for card in source(self._rules.id).cards(self._rules.id, kinds))
        names = [*given, *known]
        message = f"unknown {join_words(kinds)} '{_shorten(name)}'{did_you_mean(name[:80], names)}"
        return CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, place, "for all cards, run 'cardgen list'"))


def require_card_data(data: object, rules: Ruleset, settings: object = None) -> None:
    """Raise ValueError, with a message for the user, for cards that `CardLookup.card_data` would not make.

    `data` is anything that may contain such cards. Transcripts do, and anybody can edit them. `settings` are the block
    of the game in the settings of their project.
    """
    pending: list[Any] = [data]
    while pending:
        value = pending.pop()
        if _is_card_data(value, rules):
            _require_own_data(value, rules, settings)
        pending.extend(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())


def _is_card_data(value: Any, rules: Ruleset) -> bool:
    if not isinstance(value, dict) or "name" not in value:
        return False
    kind = value.get("kind")
    return isinstance(kind, str) and kind in rules.kinds


def _require_own_data(data: dict[str, Any], rules: Ruleset, settings: object) -> None:
    """Raise ValueError for the data of a card, without that of the cards in it."""
    own = {key: _with_names(value, rules) for key, value in data.items() if key != "kind"}
    what = f"the {data['kind']} '{_shorten(str(data['name']))}'"
    try:
        card = rules.kinds[data["kind"]].model.model_validate(own, context=settings)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ValueError(f"{what} is not valid: {key}: {first['msg']}") from None
    if card.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=APPEARANCE_KEYS) != own:
        raise ValueError(f"{what} is not as cardgen writes it")


def _with_names(value: Any, rules: Ruleset) -> Any:
    """Return data in which the names of cards take the place of their data."""
    if _is_card_data(value, rules):
        return value["name"]
    if isinstance(value, dict):
        return {key: _with_names(each, rules) for key, each in value.items()}
    return [_with_names(each, rules) for each in value] if isinstance(value, list) else value


def _wrong_value_error(message: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place("cards")))


def _shorten(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"


def _has_name(entry: Entry, name: str) -> bool:
    return name.casefold() in (entry.card.id, entry.card.name.casefold(), *entry.card.formerly)
