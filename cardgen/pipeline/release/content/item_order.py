"""Lists of two versions of a card, item by item: an item that only moved did not change."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from cardgen.model.card_values import Scalar, is_index
from cardgen.pipeline.release.content.released_card import ReleasedCard, Values

# The values of an item by the rest of their pointers; that of a plain item is ''.
_Item: TypeAlias = Mapping[str, Scalar]


class MatchedValues(NamedTuple):
    """Values and texts of an earlier card with the indexes of the later one, and whether items changed places."""

    values: Values
    texts: Values
    is_reordered: bool


def match_items(old: ReleasedCard, new: ReleasedCard, ids: Collection[str]) -> MatchedValues:
    """Return the values of an earlier card, with its items of lists at the places that they have in the later one.

    Items match if they are equal, or have the same name. The order of items with names, of items that name one of the
    cards with the `ids`, and of words such as keywords has no meaning. Other items, such as effects and numbers, stay
    where they are.
    """
    values, texts, is_reordered = dict(old.values), dict(old.texts), False
    for path in _lists({**old.values, **old.texts}):
        before, after = (_items({**one, **two}, path) for one, two in ((values, texts), (new.values, new.texts)))
        if before == after or not _is_free(before.values(), after.values(), new, path, ids):
            continue
        places, is_moved = _places(before, after)
        values, texts = (_at_places(each, path, places) for each in (values, texts))
        is_reordered |= is_moved
    return MatchedValues(values, texts, is_reordered)


def _lists(values: Iterable[str]) -> list[str]:
    """Return the pointers of the outermost lists."""
    firsts: dict[str, None] = {}
    for key in values:
        steps = key.split("/")
        index = next((number for number, step in enumerate(steps) if is_index(step)), 0)
        if index:
            firsts["/".join(steps[:index]) + "/"] = None
    return list(firsts)


def _items(values: Values, path: str) -> dict[int, _Item]:
    items: dict[int, dict[str, Scalar]] = defaultdict(dict)
    for key, value in values.items():
        index, _, rest = key.removeprefix(path).partition("/")
        if key.startswith(path) and is_index(index):
            items[int(index)][rest] = value
    return dict(sorted(items.items()))


def _is_free(old: Iterable[_Item], new: Iterable[_Item], card: ReleasedCard, path: str, ids: Collection[str]) -> bool:
    """Return whether the order of some items has no meaning."""
    items = [*old, *new]
    if all(item.keys() == {""} for item in items):
        return any(f"{path}{index}" in card.values for index in range(len(items))) and all(
            isinstance(item[""], str) for item in items
        )
    return all("name" in item or any(value in ids for value in item.values()) for item in items)


def _places(old: Mapping[int, _Item], new: Mapping[int, _Item]) -> tuple[dict[int, int], bool]:
    """Return the later index of each earlier item, and whether items changed places.

    Items without a match have the places that are free, and then those behind the last one.
    """
    places: dict[int, int] = {}
    for key in (_content, _name):
        places |= _matches(_without(old, places), _without(new, places.values()), key)
    order = [places[index] for index in old if index in places]
    end = max(new, default=-1) + 1
    rest = (*_without(new, places.values()), *range(end, end + len(old)))
    return {**places, **dict(zip(_without(old, places), rest, strict=False))}, order != sorted(order)


def _without(items: Mapping[int, _Item], indexes: Iterable[int]) -> Mapping[int, _Item]:
    others = set(indexes)
    return {index: item for index, item in items.items() if index not in others}


def _matches(
    old: Mapping[int, _Item], new: Mapping[int, _Item], key: Callable[[_Item], Hashable | None]
) -> dict[int, int]:
    """Return the later index of each earlier item that has the same key as a later one."""
    free: dict[Hashable | None, deque[int]] = defaultdict(deque)
    for index, item in new.items():
        free[key(item)].append(index)
    keys = {index: key(item) for index, item in old.items()}
    return {index: free[each].popleft() for index, each in keys.items() if each is not None and free[each]}


def _content(item: _Item) -> Hashable:
    return frozenset(item.items())


def _name(item: _Item) -> Scalar | None:
    return item.get("name")


def _at_places(values: Values, path: str, places: Mapping[int, int]) -> dict[str, Scalar]:
    return {_at_place(key, path, places): value for key, value in values.items()}


def _at_place(key: str, path: str, places: Mapping[int, int]) -> str:
    index, slash, rest = key.removeprefix(path).partition("/")
    if not key.startswith(path) or not is_index(index):
        return key
    return f"{path}{places[int(index)]}{slash}{rest}"
