"""The other cards in play: those of the project that are not checked, and the built-in ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.checking.check import CardFact, OtherCards
from cardgen.deck.card_facts import CardFacts
from cardgen.deck.card_index import CardSource
from cardgen.deck.deck import built_in_cards, built_in_files, read_game_settings, require_game
from cardgen.model.card import Card, Entry
from cardgen.model.deck import linked_kinds
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Kind, Ruleset, card_models, kinds_below
from cardgen.runtime.workspace import FileMemory

# What names the kind of a file or of a card; built-in cards always name theirs.
_KIND = re.compile(r"\bkind: *([\w-]+)")


class BuiltInCards:
    """The built-in cards of a game, with paths relative to a project.

    Building the models of its kinds takes longer than everything else about a kit. So a file is read only if it may
    have cards of a kind that is asked for, or of one that such cards can name.
    """

    def __init__(self, project: Project, game: str) -> None:
        workspace = read_game_settings(project)
        memory = workspace.memory or FileMemory()
        self._project, self._game = replace(project, workspace=replace(workspace, memory=memory)), game
        self._read = cache(self._read_kinds)

    def every(self) -> tuple[Entry, ...]:
        """Return all cards."""
        return self._read(frozenset(self._models))

    def of_kinds(self, kinds: Collection[str]) -> tuple[Entry, ...]:
        """Return the cards of some kinds."""
        return tuple([entry for entry in self._read(self._with_linked(kinds)) if entry.kind in kinds])

    def _read_kinds(self, kinds: frozenset[str]) -> tuple[Entry, ...]:
        files = [file for file, has in self._kinds_by_file.items() if not has or has & kinds]
        return built_in_cards(self._project, self._game, files)

    @cached_property
    def _models(self) -> Mapping[str, type[Card]]:
        return card_models(require_game(self._game, self._project.workspace))

    @cached_property
    def _kinds_by_file(self) -> Mapping[Path, frozenset[str]]:
        files = built_in_files(self._game)
        return {file: frozenset(_KIND.findall(file.read_text(encoding="utf-8"))) for file in files}

    def _with_linked(self, kinds: Collection[str]) -> frozenset[str]:
        """Return the kinds with all those that their cards can name, directly or not."""
        pending, every = [*kinds], set[str]()
        while pending:
            kind = pending.pop()
            if kind not in every and kind in self._models:
                every.add(kind)
                pending += linked_kinds(self._models[kind])
        return frozenset(every)


# Games and kinds of cards.
Kinds: TypeAlias = frozenset[tuple[str, str]]


class UncheckedCards(OtherCards):
    """Cards of the project, and the built-in ones of its games, unless `built_in` is None.

    Built-in cards of `files` are left out, because these were read as cards of the project.
    """

    def __init__(
        self,
        own: Callable[[Kinds], Iterable[Entry]],
        games: Mapping[str, Ruleset],
        built_in: Callable[[str], BuiltInCards] | None,
        files: Container[str],
    ) -> None:
        self._own, self._games, self._built_in, self._files = own, games, built_in, files
        self._of_kinds = cache(self._cards_of_kinds)

    def of(self, models: tuple[type[Card], ...], kind: str = "") -> tuple[Entry, ...]:
        """Return the cards whose models derive from some, and are of a kind, if its name is not ''."""
        return self._of_kinds(self._kinds(models, kind))

    def _kinds(self, models: tuple[type[Card], ...], kind: str = "") -> Kinds:
        return frozenset(
            [(name, each) for name, game in self._games.items() for each in _chosen(game.kinds, models, kind)]
        )

    def _cards_of_kinds(self, kinds: Kinds) -> tuple[Entry, ...]:
        own = (entry for entry in self._own(kinds) if (entry.game, entry.kind) in kinds)
        return (*own, *self._kit(kinds))

    def _kit(self, kinds: Kinds) -> Iterable[Entry]:
        if self._built_in is None:
            return ()
        names = {game: frozenset([kind for each, kind in kinds if each == game]) for game in self._games}
        kit = (entry for game in self._games for entry in self._built_in(game).of_kinds(names[game]))
        return (entry for entry in kit if entry.document.file not in self._files)


class IndexedCards(UncheckedCards):
    """The same, if an index knows the cards of the project: it keeps what facts say of those in some `files`.

    `read` reads the cards of some of these.
    """

    def __init__(
        self,
        source: CardSource,
        facts: CardFacts,
        files: Sequence[Path],
        read: Callable[[Iterable[Path]], Iterable[Entry]],
        games: Mapping[str, Ruleset],
        built_in: Callable[[str], BuiltInCards] | None,
        of_kit: Container[str] = (),
    ) -> None:
        super().__init__(lambda kinds: self._read(self._files_with(kinds)), games, built_in, of_kit)
        self._source, self._facts, self._unchecked, self._read = source, facts, files, read

    def named(self, name: str, models: tuple[type[Card], ...], kind: str = "") -> Sequence[Entry]:
        """Return those of these cards that have a name or id."""
        kinds, files = self._kinds(models, kind), self._files_by_name.get(name, ())
        found = [*self._read([each for each in files if each in {*self._files_with(kinds)}]), *self._kit(kinds)]
        return [each for each in found if (each.game, each.kind) in kinds and name in (each.card.name, each.card.id)]

    @cached_property
    def _files_by_name(self) -> Mapping[str, list[Path]]:
        by_name: dict[str, list[Path]] = {}
        for file in self._unchecked:
            for name in {name for card in self._source.index[file].cards for name in (card.name, card.id)}:
                by_name.setdefault(name, []).append(file)
        return by_name

    def models(self) -> Iterable[type[Card]]:
        """Return the models of these cards."""
        if self._built_in is not None:
            return super().models()
        return dict.fromkeys(self._games[game].kinds[kind].model for game, kind in self._numbers_by_kind)

    def facts(self, models: tuple[type[Card], ...], fact: CardFact) -> Iterable[Any]:
        """Return what a fact says of each of these cards."""
        kinds = self._kinds(models)
        by_file = self._facts.by_file(fact, kinds, self._files_with(kinds))
        own = [value for values in by_file.values() for value in values]
        return [*own, *(fact(entry.card) for entry in self._kit(kinds))]

    def like(
        self, models: tuple[type[Card], ...], fact: CardFact, wanted: Callable[[], Container[Any]]
    ) -> Sequence[Entry]:
        """Return those of these cards of which a fact says something `wanted`, and perhaps others."""
        kinds, values = self._kinds(models), wanted()
        by_file = self._facts.by_file(fact, kinds, self._files_with(kinds))
        own = self._read([file for file, found in by_file.items() if any(value in values for value in found)])
        return [*(entry for entry in own if (entry.game, entry.kind) in kinds), *self._kit(kinds)]

    def _files_with(self, kinds: Kinds) -> list[Path]:
        found = set[int]().union(*(self._numbers_by_kind.get(kind, ()) for kind in kinds))
        return [self._unchecked[number] for number in sorted(found)]

    @cached_property
    def _numbers_by_kind(self) -> Mapping[tuple[str, str], set[int]]:
        """The numbers of the files that have cards of each kind."""
        by_kind: dict[tuple[str, str], set[int]] = {}
        for number, file in enumerate(self._unchecked):
            for card in self._source.index[file].cards:
                by_kind.setdefault((card.game, card.kind), set()).add(number)
        return by_kind


def _chosen(kinds: Mapping[str, Kind], models: tuple[type[Card], ...], kind: str) -> Iterable[str]:
    """Return the names of kinds below some models; only that of one kind, if it has a name."""
    if not kind:
        return kinds_below(kinds, models)
    return (kind,) if kind in kinds and issubclass(kinds[kind].model, models) else ()
