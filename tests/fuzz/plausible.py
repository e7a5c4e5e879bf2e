"""Cards that are mostly valid: values are exchanged for those of other cards, and numbers change a little."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from hypothesis import strategies as st

# A path of keys and indices to a value.
_Path = tuple[Any, ...]


def _values(data: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    items: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key), value
        yield from _values(value, (*path, key))


class PlausibleCards:
    """Cards in which up to three values come from other cards of the same kind."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._cards = [yaml.safe_load(text) for text in texts]
        self._pool: dict[tuple[str, Any], list[Any]] = defaultdict(list)
        for card in self._cards:
            for path, value in _values(card):
                self._pool[self._slot(card, path)].append(value)

    @staticmethod
    def _slot(card: Any, path: _Path) -> tuple[str, Any]:
        """Return what values must have in common to be exchanged: the kind of card, and the key."""
        keys = [key for key in path if isinstance(key, str)]
        return str(card.get("kind")), (*keys[-2:], isinstance(path[-1], int))

    def strategy(self) -> st.SearchStrategy[str]:
        """Return the strategy for such a card as YAML."""
        return st.composite(self._draw)()

    def _draw(self, draw: st.DrawFn) -> str:
        card = copy.deepcopy(draw(st.sampled_from(self._cards)))
        for _ in range(draw(st.integers(1, 3))):
            places = [(path, value) for path, value in _values(card) if path != ("kind",)]
            path, value = draw(st.sampled_from(places))
            parent = card
            for key in path[:-1]:
                parent = parent[key]
            if type(value) is int and draw(st.booleans()):
                parent[path[-1]] = max(1, value + draw(st.sampled_from((-1, 1))))
            else:
                parent[path[-1]] = copy.deepcopy(draw(st.sampled_from(self._pool[self._slot(card, path)])))
        return str(yaml.safe_dump(card, allow_unicode=True, sort_keys=False, default_flow_style=None))
