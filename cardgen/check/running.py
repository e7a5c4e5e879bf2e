"""Running checks: each is shown the parts of cards that it looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cardgen.check.check import Check
from cardgen.check.locating import Found, located
from cardgen.check.parts import parts
from cardgen.check.table import Scene, Table
from cardgen.source import Document


@dataclass(slots=True)
class Round:
    """What a run over a table gave: the findings, and the names of the checks that met something to look at."""

    found: list[Found] = field(default_factory=list)
    met: set[str] = field(default_factory=set)


def run(table: Table, checks: Iterable[Check], prints: Iterable[tuple[Scene, object]] = ()) -> Round:
    """Show the table to all checks: the table, each file, every part of each card, and what is drawn of them."""
    gallery = _Gallery(tuple(check for check in checks if check.find))
    result = Round()
    for scene, thing in (*_wholes(table), *prints):
        _show(gallery.for_type(type(thing)), thing, scene, result)
    for entry in table.cards:
        for spot in parts(entry.card):
            looking = gallery.for_type(type(spot.part))
            if looking:
                _show(looking, spot.part, Scene(table, entry, spot.route, spot.above), result)
    return result


def _wholes(table: Table) -> Iterator[tuple[Scene, Table | Document]]:
    scene = Scene(table)
    yield scene, table
    for document in table.documents:
        yield scene, document


class _Gallery:
    """Which checks look at a type, or at one of those that it comes from."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._found: dict[type, tuple[Check, ...]] = {}

    def for_type(self, kind: type) -> tuple[Check, ...]:
        if kind not in self._found:
            self._found[kind] = tuple(check for check in self._checks if issubclass(kind, check.looks_at))
        return self._found[kind]


def _show(checks: Iterable[Check], thing: object, scene: Scene, result: Round) -> None:
    for check in checks:
        result.met.add(check.name)
        for finding in check.find(thing, scene) if check.find else ():
            result.found.append(located(finding, check, scene))
