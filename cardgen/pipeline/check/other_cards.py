"""The cards that checked cards are compared with, read only as far as checks look at them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path

from cardgen.model import file_memory
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.model.references import linked_kinds
from cardgen.pipeline.load.deck import built_in_cards, built_in_files, require_game
from cardgen.project import Project
from cardgen.rulesets.ruleset import Kind, Ruleset, card_models, kinds_below

# What names the kind of a file or of a card; built-in cards always name theirs.
_KIND = re.compile(r"\bkind: *([\w-]+)")


class BuiltInCards:
    """The built-in cards of a game, with paths relative to a project.

    Building the models of its kinds takes longer than everything else about a kit. So a file is read only if it may
    have cards of a kind that is asked for, or of one that such cards can name.
    """

    def __init__(self, project: Project, game: str) -> None:
        self._project, self._game = project, game
        self._memory = file_memory.FileMemory()
        self._read = cache(self._read_kinds)

    def every(self) -> tuple[Entry, ...]:
        """Return all cards."""
        return self._read(frozenset(self._models))

    def of_kinds(self, kinds: Collection[str]) -> tuple[Entry, ...]:
        """Return the cards of some kinds."""
        return tuple([entry for entry in self._read(self._with_linked(kinds)) if entry.kind in kinds])

    def _read_kinds(self, kinds: frozenset[str]) -> tuple[Entry, ...]:
        files = [file for file, has in self._kinds_by_file.items() if not has or has & kinds]
        with file_memory.by_default(self._memory):
            return built_in_cards(self._project, self._game, files)

    @cached_property
    def _models(self) -> Mapping[str, type[Card]]:
        return card_models(require_game(self._game))

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


class OtherCards:
    """The cards in play that are not checked: some of the project, and the built-in ones of its games.

    Built-in cards of `files` are left out, because these were read as cards of the project.
    """

    def __init__(
        self,
        own: Iterable[Entry],
        games: Mapping[str, Ruleset],
        built_in: Callable[[str], BuiltInCards],
        files: Container[str],
    ) -> None:
        self._own, self._games, self._built_in, self._files = tuple(own), games, built_in, files
        self._of_kinds = cache(self._cards_of_kinds)

    def of(self, models: tuple[type[Card], ...], kind: str) -> tuple[Entry, ...]:
        """Return the cards whose models derive from some, and are of a kind, if its name is not ''."""
        every = ((name, each) for name, game in self._games.items() for each in _chosen(game.kinds, models, kind))
        return self._of_kinds(frozenset(every))

    def _cards_of_kinds(self, kinds: frozenset[tuple[str, str]]) -> tuple[Entry, ...]:
        own = (entry for entry in self._own if (entry.game, entry.kind) in kinds)
        names = {game: frozenset([kind for each, kind in kinds if each == game]) for game in self._games}
        kit = (entry for game in self._games for entry in self._built_in(game).of_kinds(names[game]))
        return (*own, *(entry for entry in kit if entry.document.file not in self._files))


def _chosen(kinds: Mapping[str, Kind], models: tuple[type[Card], ...], kind: str) -> Iterable[str]:
    """Return the names of kinds below some models; only that of one kind, if it has a name."""
    if not kind:
        return kinds_below(kinds, models)
    return (kind,) if kind in kinds and issubclass(kinds[kind].model, models) else ()
