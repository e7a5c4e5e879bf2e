"""Meanings of clauses: values, features, and series, and the templates that make and match them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias


class Features(tuple[tuple[str, "Meaning"], ...]):
    """Named parts of a meaning, as sorted pairs; hashable."""

    __slots__ = ()

    @classmethod
    def of(cls, **values: Meaning) -> Features:
        """Return the features with these values."""
        return cls(sorted(values.items()))

    def get(self, name: str, default: Meaning = None) -> Any:
        """Return the value of a feature, or the default."""
        return next((value for key, value in self if key == name), default)


class Series(tuple["Meaning", ...]):
    """Meanings in order; merging series joins them."""

    __slots__ = ()


Meaning: TypeAlias = str | int | bool | Features | Series | None
Bindings: TypeAlias = Mapping[str, Meaning]


def merge(parts: Iterable[Features]) -> Features | None:
    """Return the features of all parts, or None if two of them contradict each other.

    Series with the same name are joined; anything else that is named twice is a contradiction, even if it is equal.
    """
    merged: dict[str, Meaning] = {}
    for part in parts:
        for key, value in part:
            earlier = merged.get(key)
            if key not in merged:
                merged[key] = value
            elif isinstance(earlier, Series) and isinstance(value, Series):
                merged[key] = Series((*earlier, *value))
            else:
                return None
    return Features(sorted(merged.items()))


_ITEM = re.compile(r"(?:(?P<key>\$?[\w.]+)=)?(?P<open>\[)?(?P<sign>-)?(?P<slot>\$)?(?P<value>[^\s\[\]$]+)\]?")


class _Item(NamedTuple):
    """`key=value` of a template; '' as the key merges the features of a slot."""

    key: str
    value: str | int | bool
    is_slot: bool
    is_negative: bool
    is_series: bool

    def evaluate(self, bindings: Bindings) -> Meaning:
        value: Meaning = bindings[str(self.value)] if self.is_slot else self.value
        if self.is_negative:
            value = -value if isinstance(value, int) else None
        return Series((value,)) if self.is_series else value


class Template(NamedTuple):
    """The meaning of a clause with the meanings of its slots left open.

    `when=hit` names a value, `heal=$n` takes that of a slot, `-$n` negates it, `[$n]` makes a series of it, `$stat=$n`
    takes the name from a slot, and a lone `$slot` or value is the meaning itself.
    """

    items: tuple[_Item, ...]

    def evaluate(self, bindings: Bindings) -> Meaning:
        """Return the meaning, or None if parts of it contradict each other."""
        if not self.items:
            return Features()
        if len(self.items) == 1 and not self.items[0].key:
            return self.items[0].evaluate(bindings)
        parts = [self._part(item, bindings) for item in self.items]
        return merge(part for part in parts if part) if None not in parts else None

    @staticmethod
    def _part(item: _Item, bindings: Bindings) -> Features | None:
        value = item.evaluate(bindings)
        if not item.key:
            return value if isinstance(value, Features) else None
        key = str(bindings[item.key[1:]]) if item.key.startswith("$") else item.key
        return None if value is None else Features(((key, value),))

    @property
    def slots(self) -> frozenset[str]:
        """The names of its slots."""
        keys = {item.key[1:] for item in self.items if item.key.startswith("$")}
        return frozenset({*keys, *(str(item.value) for item in self.items if item.is_slot)})

    def match(self, meaning: Meaning) -> dict[str, Meaning] | None:
        """Return the values of the slots that evaluate to a meaning, or None if none do."""
        if len(self.items) == 1 and not self.items[0].key:
            return _match_value(self.items[0], meaning)
        if not isinstance(meaning, Features) or len(meaning) != len(self.items):
            return None
        bindings: dict[str, Meaning] = {}
        for item in self.items:
            found = _match_item(item, meaning)
            if found is None:
                return None
            bindings |= found
        return bindings


def _match_item(item: _Item, meaning: Features) -> dict[str, Meaning] | None:
    if item.key.startswith("$"):
        key, value = meaning[0]
        matched = _match_value(item, value)
        return None if matched is None else {item.key[1:]: key, **matched}
    value = meaning.get(item.key)
    return None if value is None else _match_value(item, value)


def _match_value(item: _Item, meaning: Meaning) -> dict[str, Meaning] | None:
    if item.is_series:
        if not isinstance(meaning, Series) or len(meaning) != 1:
            return None
        meaning = meaning[0]
    if item.is_negative:
        if not isinstance(meaning, int) or meaning >= 0:
            return None
        meaning = -meaning
    if item.is_slot:
        return {str(item.value): meaning}
    return {} if meaning == item.value and isinstance(meaning, bool) == isinstance(item.value, bool) else None


def parse_template(text: str) -> Template:
    """Parse a template such as 'heal=$n' or 'when=hit'. Raises ValueError if it is malformed."""
    items = []
    for word in text.split():
        match = _ITEM.fullmatch(word)
        if match is None:
            raise ValueError(f"'{word}' is not a valid meaning")
        is_slot, sign = bool(match["slot"]), bool(match["sign"])
        value = match["value"] if is_slot else _literal(("-" if sign else "") + match["value"])
        items.append(_Item(match["key"] or "", value, is_slot, is_slot and sign, bool(match["open"])))
    return Template(tuple(items))


def _literal(word: str) -> str | int | bool:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if re.fullmatch(r"-?\d+", word) else word
