"""What a part of a file describes: the card, its kind, and the models of the part."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cardgen.editor.session import LoadedProject
from cardgen.model.card_file import CardHeader, DeckHeader
from cardgen.pipeline.load.deck import KINDS_BY_GAME
from cardgen.project.project import Settings
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.project_games import GAME_FILE
from cardgen.source import Data, KeyPath
from cardgen.validation.base import Model
from cardgen.validation.model_keys import ModelClasses, child_models, model_keys

# The key of sentences that a game may read.
TEXT_KEY = "text"
CARD_ROOTS = ("cards", "defaults")


class Subject(NamedTuple):
    """The part of a file at a key path.

    `models` are those of the map that has the last key of `path`, which starts at the card or the file. `kind` is ''
    outside of cards.
    """

    game: str
    kind: str
    models: ModelClasses
    path: KeyPath

    @property
    def key(self) -> str:
        """The name of the nearest key, or ''."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    def owners(self) -> tuple[type[Model], ...]:
        """Return the models that have the nearest key."""
        return tuple(model for model in self.models if self.key in model_keys(model))


def subject_at(loaded: LoadedProject, file: Path, data: Data, path: KeyPath, *, is_map: bool = False) -> Subject:
    """Return what a key path of a file describes; with `is_map`, it leads to a map that gets another key."""
    if file.name == SETTINGS_FILE:
        return _subject("", "", (Settings,), path)
    if file.name == GAME_FILE:
        from cardgen.game_file.spec.document import GameFile  # loaded here because few projects have games

        return _subject("", "", (GameFile,), path)
    return _card_subject(loaded, data if isinstance(data, dict) else {}, path, is_map=is_map)


def _card_subject(loaded: LoadedProject, data: Mapping[str, Data], path: KeyPath, *, is_map: bool) -> Subject:
    game = str(data.get("game") or loaded.game)
    kinds = KINDS_BY_GAME.get(game, {})
    is_deck = "cards" in data
    depth = 2 if path[:1] == ("cards",) else 1
    in_card = is_deck and path[:1] and path[0] in CARD_ROOTS and len(path) + is_map > depth
    if is_deck and not in_card:
        return _subject(game, "", (DeckHeader,), path)
    kind = _kind_of(data, path[:depth] if in_card else ())
    models = (kinds[kind],) if kind in kinds else tuple(kinds.values())
    header: ModelClasses = () if in_card else (CardHeader,)
    return _subject(game, kind, (*models, *header), path[depth:] if in_card else path)


def _kind_of(data: Mapping[str, Data], path: KeyPath) -> str:
    """Return the kind that a card, the defaults, or the file names."""
    card: object = data
    for step in path:
        card = card[step] if isinstance(card, dict | list) else None  # type: ignore[index]
    parts = (card, data.get("defaults") if "cards" in data else None, data)
    named = (part["kind"] for part in parts if isinstance(part, dict) and isinstance(part.get("kind"), str))
    return str(next(named, ""))


def _subject(game: str, kind: str, models: ModelClasses, path: KeyPath) -> Subject:
    last = max((index for index, step in enumerate(path) if isinstance(step, str)), default=0)
    for step in path[:last]:
        models = child_models(models, step)
    return Subject(game, kind, models, path)


def models_below(subject: Subject) -> ModelClasses:
    """Return the models of the value at the subject's path."""
    return child_models(subject.models, subject.key) if subject.path else subject.models
