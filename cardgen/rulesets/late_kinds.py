"""Kinds of cards whose models are built at their first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from cardgen.model.card import Card
from cardgen.rulesets.ruleset import Kind, Ruleset


class LateKinds(Mapping[str, Kind]):
    """The kinds of several modules by name; each module is loaded when one of its kinds is needed.

    `modules` are the names of the kinds by module; each module has its `KINDS`. A model of one module never derives
    from the model of a kind of another one. `pieces` are the kinds of pieces that are made from cards, by the kind of
    these cards, as their `made_from` says.
    """

    def __init__(self, modules: Mapping[str, Iterable[str]], pieces: Mapping[str, tuple[str, ...]]) -> None:
        self.pieces = pieces
        self._modules = {name: module for module, names in modules.items() for name in names}
        self._loaded: dict[str, Mapping[str, Kind]] = {}

    def __getitem__(self, name: str) -> Kind:
        module = self._modules[name]
        if module not in self._loaded:
            self._loaded[module] = import_module(module).KINDS
        return self._loaded[module][name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules  # without loading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def beside(self, models: Iterable[type[Card]]) -> Iterable[str]:
        """Return the kinds of the modules that contain models; all kinds if one is a base of several kinds."""
        homes = [self._home(model) for model in models]
        return self if None in homes else [name for name, module in self._modules.items() if module in homes]

    def _home(self, model: type[Card]) -> str | None:
        """Return the module of the kind with a model; None if it is not the model of a kind."""
        module = self._modules.get(model.KIND)
        return module if module in self._loaded and self[model.KIND].model is model else None


def kinds_made_from(kinds: Mapping[str, Kind], name: str) -> Iterable[str]:
    """Return the kinds of pieces that are made from cards of a kind."""
    if isinstance(kinds, LateKinds):
        return kinds.pieces.get(name, ())
    return [each for each, kind in kinds.items() if name in kind.made_from]


def kinds_below(kinds: Mapping[str, Kind], models: tuple[type[Card], ...]) -> Iterator[str]:
    """Yield the kinds whose models derive from one of some models, and load no others if possible."""
    names = kinds.beside(models) if isinstance(kinds, LateKinds) else kinds
    return (name for name in names if issubclass(kinds[name].model, models))


class _Models(Mapping[str, type[Card]]):
    """The model of each kind of card; a kind is loaded when a card of it is read."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds

    def __getitem__(self, name: str) -> type[Card]:
        return self._kinds[name].model

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def card_models(game: Ruleset) -> Mapping[str, type[Card]]:
    """Return the model of each kind of card."""
    return _Models(game.kinds)
