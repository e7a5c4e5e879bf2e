"""Running checks: each is shown the parts of cards that it looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cardgen.check.check import Check, Find
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
    result = Round()
    looking = _Gallery(checks, result.met)
    for scene, thing in (*_wholes(table), *prints):
        for check, find in looking[type(thing), scene.entry.game if scene.entry else ""]:
            result.found += [located(finding, check, scene) for finding in find(thing, scene)]
    for entry in table.cards:
        for part, route, above in parts(entry.card):
            if lookers := looking[type(part), entry.game]:
                scene = Scene(table, entry, route, above)
                for check, find in lookers:
                    for finding in find(part, scene):
                        result.found.append(located(finding, check, scene))
    return result


def _wholes(table: Table) -> Iterator[tuple[Scene, Table | Document]]:
    scene = Scene(table)
    yield scene, table
    for document in table.documents:
        yield scene, document


class _Gallery(dict[tuple[type, str], tuple[tuple[Check, Find], ...]]):
    """Which checks look at a type, or at one of those that it comes from, on a card of a game; '' is for files.

    Those that were asked for have `met` it.
    """

    def __init__(self, checks: Iterable[Check], met: set[str]) -> None:
        super().__init__()
        self._checks = [(check, check.find) for check in checks if check.find]
        self._met = met

    def __missing__(self, wanted: tuple[type, str]) -> tuple[tuple[Check, Find], ...]:
        kind, game = wanted
        games = ("", game)
        self[wanted] = found = tuple(
            (check, find) for check, find in self._checks if check.game in games and issubclass(kind, check.looks_at)
        )
        self._met.update(check.name for check, _ in found)
        return found
