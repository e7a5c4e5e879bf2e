"""Running checks: each is shown the parts of cards that it looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cardgen.check.check import Check, Find
from cardgen.check.locating import LocatedFinding, locate
from cardgen.check.parts import walk_parts
from cardgen.check.table import CheckContext, CheckScope
from cardgen.source import Document


@dataclass(slots=True)
class RunRecord:
    """What a run over a table gave: the findings, and the names of the checks that met something to look at."""

    findings: list[LocatedFinding] = field(default_factory=list)
    applicable: set[str] = field(default_factory=set)


def run_checks(
    scope: CheckScope, checks: Iterable[Check], rendered: Iterable[tuple[CheckContext, object]] = ()
) -> RunRecord:
    """Show the table to all checks: the table, each file, every part of each card, and what is drawn of them."""
    record = RunRecord()
    dispatch = _Dispatch(checks, record.applicable)
    for context, thing in (*_scope_and_documents(scope), *rendered):
        for check, find in dispatch[type(thing), context.entry.game if context.entry else ""]:
            record.findings += [locate(finding, check, context) for finding in find(thing, context)]
    for entry in scope.cards:
        for part, route, ancestors in walk_parts(entry.card):
            if interested := dispatch[type(part), entry.game]:
                context = CheckContext(scope, entry, route, ancestors)
                for check, find in interested:
                    for finding in find(part, context):
                        record.findings.append(locate(finding, check, context))
    return record


def _scope_and_documents(scope: CheckScope) -> Iterator[tuple[CheckContext, CheckScope | Document]]:
    context = CheckContext(scope)
    yield context, scope
    for document in scope.documents:
        yield context, document


class _Dispatch(dict[tuple[type, str], tuple[tuple[Check, Find], ...]]):
    """Which checks look at a type, or at one of those that it comes from, on a card of a game; '' is for files.

    Those that were asked for have `met` it.
    """

    def __init__(self, checks: Iterable[Check], applicable: set[str]) -> None:
        super().__init__()
        self._checks = [(check, check.find) for check in checks if check.find]
        self._applicable = applicable

    def __missing__(self, key: tuple[type, str]) -> tuple[tuple[Check, Find], ...]:
        kind, game = key
        games = ("", game)
        self[key] = interested = tuple(
            (check, find) for check, find in self._checks if check.game in games and issubclass(kind, check.looks_at)
        )
        self._applicable.update(check.name for check, _ in interested)
        return interested
