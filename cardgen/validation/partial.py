"""Validate data with mistakes as far as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from cardgen.diagnostic import Diagnostic
from cardgen.source import Data, Document, KeyPath
from cardgen.source.edits import existing_path, renamed, value_at, without
from cardgen.validation.base import Model
from cardgen.validation.model_keys import accepted_keys
from cardgen.validation.pydantic_errors import Fault
from cardgen.validation.slug import slugify
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import VERY_CLOSE_CUTOFF, closest
from cardgen.validation.validate import KeyContext, describe_faults, find_faults

# Removing a value can leave its container incomplete, which is removed next: as often as data are nested.
_MOST_ROUNDS = 20
# Faults that removing other values can cause.
_CAUSED = frozenset({"missing", "too_short"})
Shape = TypeVar("Shape", bound=Model)


class Removal(NamedTuple):
    """A value that was left out. That of a missing key is None, and that of a corrected key a list of this key."""

    key_path: KeyPath
    value: Data


class Partial(NamedTuple, Generic[Shape]):
    """The valid part of a document.

    `diagnostics` describe the rest, and `removals` are the values that were left out. `spec` is None if nothing
    useful is left.
    """

    spec: Shape | None
    document: Document
    diagnostics: tuple[Diagnostic, ...]
    removals: tuple[Removal, ...] = ()


def validate_partially(model: type[Shape], document: Document, defaults: Mapping[str, Data]) -> Partial[Shape]:
    """Validate a document as a model; leave out everything that is wrong.

    Misspelled keys and names are corrected, so that what they contain is validated, too. `defaults` stand for keys at
    the top level that are missing or wrong.
    """
    return _Corrector(model, document, defaults).run()


class _Corrector(Generic[Shape]):
    """Removes and renames what is wrong in a document until it is valid."""

    def __init__(self, model: type[Shape], document: Document, defaults: Mapping[str, Data]) -> None:
        self._model, self._document, self._defaults = model, document, defaults
        self._diagnostics: list[Diagnostic] = []
        self._removals: list[Removal] = []
        self._attempts: set[KeyPath] = set()

    def run(self) -> Partial[Shape]:
        for index in range(_MOST_ROUNDS):
            spec, faults = find_faults(self._model, self._data(with_defaults=index > 0))
            self._describe(fault for fault in faults if index == 0 or fault.kind not in _CAUSED)
            if spec is not None or not self._correct(faults):
                break
        diagnostics = tuple(sorted(self._diagnostics, key=Diagnostic.sort_key))
        return Partial(spec, self._document, diagnostics, tuple(self._removals))

    def _data(self, *, with_defaults: bool) -> Data:
        data = {} if self._document.data is None else self._document.data
        return {**self._defaults, **data} if with_defaults and isinstance(data, dict) else data

    def _describe(self, faults: Iterable[Fault]) -> None:
        source_map, places = SourceMap(self._document, (self._model,)), {each.place for each in self._diagnostics}
        diagnostics = describe_faults(faults, source_map, KeyContext(root_models=(self._model,)))
        self._diagnostics += [each for each in diagnostics if each.place not in places]

    def _correct(self, faults: Iterable[Fault]) -> bool:
        """Remove or rename what is wrong; return whether anything is left."""
        every = tuple(faults)
        if not all(self._has_default(fault) for fault in every if not self._target(fault)):
            return False
        self._removals += [Removal(fault.key_path, None) for fault in every if not self._target(fault)]
        targets = {target: fault for fault in every if (target := self._target(fault))}
        # From the end, so that the indexes of earlier items stay the same, and items before their container.
        for key_path in sorted(targets, key=_order, reverse=True):
            if name := next(self._names(targets[key_path], key_path), ""):
                self._rename(key_path, name)
            else:
                self._remove(key_path)
        return True

    def _rename(self, key_path: KeyPath, name: str) -> None:
        self._attempts |= {key_path, (*key_path[:-1], name)}
        self._removals.append(Removal(key_path, [str(key_path[-1])]))
        self._document = renamed(self._document, key_path, name)

    def _remove(self, key_path: KeyPath) -> None:
        self._removals.append(Removal(key_path, value_at(self._document, key_path)))
        self._document = without(self._document, key_path)

    def _has_default(self, fault: Fault) -> bool:
        return fault.kind == "missing" and len(fault.key_path) == 1 and fault.key_path[0] in self._defaults

    def _target(self, fault: Fault) -> KeyPath:
        """Return the key path of what has to go: the value, or the container of a missing one."""
        key_path = fault.key_path[:-1] if fault.kind == "missing" else fault.key_path
        return existing_path(self._document, key_path)

    def _names(self, fault: Fault, key_path: KeyPath) -> Iterator[str]:
        """Yield the names that were probably meant by a wrong key."""
        is_unknown = fault.kind == "extra_forbidden"
        if key_path != fault.key_path or not (is_unknown or fault.at_key):
            return
        key, siblings = str(key_path[-1]), value_at(self._document, key_path[:-1])
        names = (closest(key, accepted_keys(fault.owners), VERY_CLOSE_CUTOFF),) if is_unknown else _similar_names(key)
        for name in names:
            is_new = (*key_path[:-1], name) not in self._attempts
            if name and is_new and isinstance(siblings, dict) and name not in siblings:
                yield name


def _similar_names(key: str) -> tuple[str, ...]:
    """Return ids and keys like a name that is not valid."""
    name = slugify(key)
    return (name, name.replace("-", "_"))


def _order(key_path: KeyPath) -> tuple[tuple[int, str], ...]:
    return tuple((step, "") if isinstance(step, int) else (-1, step) for step in key_path)
