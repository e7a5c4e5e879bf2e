"""Values as JSON between processes, for answers of a process that a hostile file may have taken over.

Decoding calls nothing that the message names: it makes numbers, texts, bytes, paths, tuples, lists, sets, mappings, and
those named tuples, frozen dataclasses, and enumerations of this program that the receiver has loaded. Values of fields
are not checked, so receivers may find a wrong type, but never code.

A message is a list of new class names, and a value. In values, JSON's own types except arrays stand for themselves. The
first item of an array says what it is: one of the letters below, or the number of a class in the order in which the
channel named them, before its fields. Tuples and bytes that were sent before are sent as a reference to their number.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TypeAlias

_PACKAGE = "cardgen."
# Integers that JSON parsers read at once; longer ones are sent in hexadecimal, which takes time in proportion.
_LARGEST_INTEGER = 1 << 63
# Shorter bytes are repeated instead.
_SHORT = 32
# Items of a message once its references are written out. References double a value with every few characters, and
# whoever compares, hashes, or prints it would never end.
_MOST_ITEMS = 1 << 26

_Json: TypeAlias = Any

_TUPLE, _LIST, _SET, _FROZEN_SET, _MAPPING = "t", "l", "s", "f", "m"
_BYTES, _PATH, _INTEGER, _FRACTION, _AGAIN = "b", "p", "i", "q", "&"
_LEAVES: Final = frozenset({str, float, bool, type(None)})


class PlainDataError(ValueError):
    """A value that cannot be sent, or a message that cannot be read."""


class Encoder:
    """Encoder of the messages of one channel; what several messages share is sent once."""

    def __init__(self) -> None:
        self._classes: dict[type, int] = {}
        self._new_names: list[str] = []
        self.forget()

    def forget(self) -> None:
        """Send what was sent before anew, and free it."""
        self._sent: dict[int, int] = {}
        # Objects that are freed would give their identity to others.
        self._kept: list[object] = []

    def encode(self, value: object) -> bytes:
        """Return a message. Raises PlainDataError if the value has something that is not plain data."""
        sent = len(self._kept)
        try:
            content = self._of(value)
            message = json.dumps([self._new_names, content], separators=(",", ":"), check_circular=False)
        except BaseException as error:
            for each in self._kept[sent:]:
                del self._sent[id(each)]
            del self._kept[sent:]
            if isinstance(error, RecursionError):
                raise PlainDataError("the value is nested too deeply") from None
            raise
        self._new_names = []
        return message.encode("ascii")

    def _of(self, value: Any) -> _Json:
        kind = type(value)
        if kind in _LEAVES:
            return value
        if kind is int:
            return value if -_LARGEST_INTEGER < value < _LARGEST_INTEGER else [_INTEGER, hex(value)]
        number = self._sent.get(id(value))
        if number is not None:
            return [_AGAIN, number]
        leaves = _LEAVES
        if isinstance(value, tuple):
            head = _TUPLE if kind is tuple else self._class_number(kind)
            return self._remember(value, [head, *[each if type(each) in leaves else self._of(each) for each in value]])
        if kind is bytes:
            encoded = [_BYTES, b64encode(value).decode("ascii")]
            return self._remember(value, encoded) if len(value) > _SHORT else encoded
        # A value of a type that is rare in faces, which are most of what is sent.
        if kind in _ITERABLES:
            return [_ITERABLES[kind], *map(self._of, value)]
        if isinstance(value, Mapping):
            return [_MAPPING, *[self._of(each) for pair in value.items() for each in pair]]
        if isinstance(value, Enum):
            return [self._class_number(kind), self._of(value.value)]
        if isinstance(value, str):
            return str.__str__(value)  # of a class that only templates distinguish
        if isinstance(value, Path):
            return [_PATH, str(value)]
        if kind is Fraction:
            return [_FRACTION, self._of(value.numerator), self._of(value.denominator)]
        if _is_frozen(kind):
            fields = [self._of(getattr(value, field.name)) for field in dataclasses.fields(kind)]
            return self._remember(value, [self._class_number(kind), *fields])
        raise PlainDataError(f"a {kind.__qualname__} is not plain data")

    def _remember(self, value: object, encoded: _Json) -> _Json:
        self._sent[id(value)] = len(self._kept)
        self._kept.append(value)
        return encoded

    def _class_number(self, kind: type) -> int:
        number = self._classes.get(kind)
        if number is None:
            name = f"{kind.__module__}:{kind.__qualname__}"
            if _maker(name) is None:
                raise PlainDataError(f"a {kind.__qualname__} is not plain data")
            number = self._classes[kind] = len(self._classes)
            self._new_names.append(name)
        return number


class Decoder:
    """Decoder of the messages of one channel."""

    def __init__(self) -> None:
        self._makers: list[Callable[[list[Any]], Any]] = []
        self.forget()

    def forget(self) -> None:
        """Free what was received; the encoder must forget it at the same message."""
        self._received: list[Any] = []
        # How many items each of them has.
        self._sizes: list[int] = []

    def decode(self, message: bytes) -> Any:
        """Return the value of a message. Raises PlainDataError if it is not one."""
        try:
            names, content = json.loads(message)
            self._makers.extend(map(_known_maker, names))
            self._size = 0
            return self._value(content)
        except PlainDataError:
            raise
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            raise PlainDataError(f"the message cannot be read: {type(error).__name__}") from None

    def _value(self, content: _Json) -> Any:
        if type(content) is not list:
            if type(content) is dict:
                raise PlainDataError("the message cannot be read: object")
            return content
        head = content[0]
        before = self._size
        if head == _AGAIN:
            number = _index(content[1])
            self._size = before + self._sizes[number]
            if self._size > _MOST_ITEMS:
                raise PlainDataError(f"the message has more than {_MOST_ITEMS} items")
            return self._received[number]
        if head == _BYTES:
            value: Any = b64decode(content[1], validate=True)
            if len(value) > _SHORT:
                self._received.append(value)
                self._sizes.append(1)
            return value
        self._size = before + len(content)
        value = self._value
        items = [value(each) if type(each) is list else each for each in content[1:]]
        if type(head) is int:
            maker = self._makers[_index(head)]
            made = maker(items)
            if not isinstance(made, Enum):
                self._received.append(made)
                self._sizes.append(self._size - before)
            return made
        if head == _TUPLE:
            made = tuple(items)
            self._received.append(made)
            self._sizes.append(self._size - before)
            return made
        return _SORTS[head](items)


def _index(number: object) -> int:
    if type(number) is not int or number < 0:
        raise PlainDataError("the message cannot be read: number")
    return number


def _mapping(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


_ITERABLES: Final[dict[type, str]] = {list: _LIST, set: _SET, frozenset: _FROZEN_SET}
_SORTS: Final[dict[object, Callable[[list[Any]], Any]]] = {
    _LIST: lambda items: items,
    _SET: set,
    _FROZEN_SET: frozenset,
    _MAPPING: _mapping,
    _PATH: lambda items: Path(_text(items)),
    _INTEGER: lambda items: int(_text(items), 16),
    _FRACTION: lambda items: Fraction(*map(int, items)),
}


def _text(items: list[Any]) -> str:
    (text,) = items
    if type(text) is not str:
        raise PlainDataError("the message cannot be read: text")
    return text


def _is_frozen(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


def _known_maker(name: object) -> Callable[[list[Any]], Any]:
    maker = _maker(name)
    if maker is None:
        raise PlainDataError(f"'{str(name)[:80]}' is not a class of plain data")
    return maker


def _maker(name: object) -> Callable[[list[Any]], Any] | None:
    """Return the function that makes objects of a class of plain data from their fields, without code of the class.

    Only modules that are loaded are looked at, so that no message can load any.
    """
    module, _, path = name.partition(":") if isinstance(name, str) else ("", "", "")
    found: Any = sys.modules.get(module)
    if found is None or not module.startswith(_PACKAGE):
        return None
    for part in path.split("."):
        found = vars(found).get(part) if isinstance(found, type) or found is sys.modules[module] else None
    if not isinstance(found, type) or found.__module__ != module:
        return None
    if issubclass(found, Enum):
        return _enum_maker(found)
    if issubclass(found, tuple):
        return _named_tuple_maker(found)
    return _dataclass_maker(found) if _is_frozen(found) else None


def _enum_maker(kind: type[Enum]) -> Callable[[list[Any]], Any]:
    def make(items: list[Any]) -> Any:
        (value,) = items  # more would make another enumeration
        return kind(value)

    return make


def _named_tuple_maker(kind: type[tuple[Any, ...]]) -> Callable[[list[Any]], Any] | None:
    names = getattr(kind, "_fields", None)
    if names is None:
        return None
    count = len(names)

    def make(items: list[Any]) -> Any:
        if len(items) != count:
            raise PlainDataError(f"a {kind.__qualname__} has {count} fields")
        return tuple.__new__(kind, items)

    return make


def _dataclass_maker(kind: type) -> Callable[[list[Any]], Any]:
    names = [field.name for field in dataclasses.fields(kind)]

    def make(items: list[Any]) -> Any:
        made: Any = object.__new__(kind)
        for name, item in zip(names, items, strict=True):
            object.__setattr__(made, name, item)
        return made

    return make
