"""Groups of equal findings, so that people read each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pydantic.fields import FieldInfo

from cardgen.checking.check import FREE_TEXT_KEYS, Check, CheckContext, CheckScope, Find, Finding, FreeText
from cardgen.checking.locate import BaselineMatch, LocatedFinding, locate, relative_name, value_at
from cardgen.diagnostic import MAX_SHOWN_PLACES, Group, Place, Severity, escape_controls, group_alike, join_words
from cardgen.model.card import Entry
from cardgen.source import KeyPath
from cardgen.units import quantity
from cardgen.validation.base import Aspect, Model, Prose, annotation_parts, model_keys, once_per_model

if TYPE_CHECKING:
    from cardgen.grammar.reading import SentenceReading


# A part of a card, the route to it, and the models that contain it.
CardPart: TypeAlias = tuple[object, KeyPath, tuple[Model, ...]]


def walk_parts(model: Model) -> list[CardPart]:
    """Return the model and all its parts, in key order."""
    collected: list[CardPart] = []
    _collect(model, (), (), collected)
    return collected


def _collect(model: Model, route: KeyPath, ancestors: tuple[Model, ...], collected: list[CardPart]) -> None:
    collected.append((model, route, ancestors))
    part_fields = _part_fields(type(model))
    if not part_fields:
        return
    inner_ancestors = (*ancestors, model)
    for part in part_fields:
        value = getattr(model, part.attribute)
        if value:
            _collect_value(value, part, (*route, part.key), inner_ancestors, collected)


class _PartField(NamedTuple):
    """A field that contains models or text, and whether its texts contain rules."""

    attribute: str
    key: str
    has_rules: bool


def _collect_value(
    value: object, field: _PartField, route: KeyPath, ancestors: tuple[Model, ...], collected: list[CardPart]
) -> None:
    """Collect the texts and models in the value of a field, which can be a list or a map of them."""
    if isinstance(value, str):
        collected.append((FreeText(value, field.key, field.has_rules), route, ancestors))
    elif isinstance(value, Model):
        _collect(value, route, ancestors, collected)
    elif isinstance(value, dict):
        for name, item in value.items():
            _collect_value(item, field, (*route, name), ancestors, collected)
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            _collect_value(item, field, (*route, index), ancestors, collected)


@once_per_model
def _part_fields(model: type[Model]) -> tuple[_PartField, ...]:
    """Return the fields that contain models or text."""
    keys = ((attribute, info.alias or attribute, info) for attribute, info in model.model_fields.items())
    return tuple(
        _PartField(attribute, key, Aspect.RULES in _field_parts(info))
        for attribute, key, info in keys
        if _has_parts(model, key, info)
    )


def _has_parts(model: type[Model], key: str, info: FieldInfo) -> bool:
    """Return whether a field contains models or free text."""
    if key in FREE_TEXT_KEYS or model_keys(model)[key].models:
        return True
    return any(isinstance(part, Prose) for part in _field_parts(info))


def _field_parts(info: FieldInfo) -> tuple[object, ...]:
    """Return the metadata of a field, and the parts of its annotation."""
    return *info.metadata, *annotation_parts(info.annotation)


class Dispatch(dict[tuple[type, str], tuple[tuple[Check, Find], ...]]):
    """The checks by type (or base class) and game; the game is '' for files.

    A check that is looked up is marked as applicable.
    """

    def __init__(self, checks: Iterable[Check], applicable: set[str]) -> None:
        super().__init__()
        self._checks = [(check, check.find) for check in checks if check.find]
        self._applicable = applicable

    def interested(self, kind: type, game: str) -> tuple[tuple[Check, Find], ...]:
        """Return the checks that look at a type in a game."""
        return self[kind, game]

    def __missing__(self, key: tuple[type, str]) -> tuple[tuple[Check, Find], ...]:
        kind, game = key
        games = ("", game)
        self[key] = interested = tuple(
            (check, find) for check, find in self._checks if check.game in games and issubclass(kind, check.looks_at)
        )
        self.mark_applicable(check.name for check, _ in interested)
        return interested

    def mark_applicable(self, names: Iterable[str]) -> None:
        """Mark checks as applicable."""
        self._applicable.update(names)


# What a check finds, before it has its place in the source.
FindingOfCheck: TypeAlias = tuple[Finding, Check]


class CheckedPart(NamedTuple):
    """A part of a card, its position, and the checks that look at it; `rules_text` is the part if it is one."""

    part: object
    context: CheckContext
    checks: tuple[tuple[Check, Find], ...]
    rules_text: FreeText | None


def checked_parts(scope: CheckScope, entry: Entry, dispatch: Dispatch) -> Iterator[CheckedPart]:
    """Yield the parts of a card that are checked, in order."""
    for part, route, ancestors in walk_parts(entry.card):
        interested = dispatch[type(part), entry.game]
        rules_text = part if isinstance(part, FreeText) and part.is_rules_text else None
        if interested or rules_text:
            yield CheckedPart(part, CheckContext(scope, entry, route, ancestors), interested, rules_text)


# Yields what is found in the cards of a scope, in the order of the cards.
FindInCards: TypeAlias = Callable[[CheckScope, Dispatch], Iterable[tuple[CheckContext, FindingOfCheck]]]


def find_here(scope: CheckScope, dispatch: Dispatch) -> Iterator[tuple[CheckContext, FindingOfCheck]]:
    """Check all cards in this process."""
    return find_in(scope.cards, scope, dispatch)


def find_in(
    cards: Iterable[Entry], scope: CheckScope, dispatch: Dispatch
) -> Iterator[tuple[CheckContext, FindingOfCheck]]:
    """Yield what is found in some cards of a scope."""
    for entry in cards:
        for part, context, checks, rules_text in checked_parts(scope, entry, dispatch):
            for check, find in checks:
                for finding in find(part, context):
                    yield context, (finding, check)
            for pair in sentence_findings(rules_text, context, dispatch) if rules_text else ():
                yield context, pair


def sentence_findings(rules_text: FreeText, context: CheckContext, dispatch: Dispatch) -> Iterator[FindingOfCheck]:
    """Yield what checks find in the sentences of a text."""
    return findings_in_sentences(rules_text, context, dispatch.interested, walk_parts)


GroupedFinding: TypeAlias = Group[LocatedFinding]


def group_findings(findings: Iterable[LocatedFinding]) -> tuple[GroupedFinding, ...]:
    """Group the findings with the same check and message in more than three places, sorted by their first places."""
    groups = group_alike(findings, lambda one: one.diagnostic)
    return tuple(sorted(groups, key=lambda group: group.finding.diagnostic.sort_key()))


_SEVERITY_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class CheckResult(NamedTuple):
    """The findings in the order of reports, and what was checked.

    `files` are the card files that were read. `not_applicable` are the checks that had nothing to check, `skipped` the
    files of the project that were not read. `fix_count` fixes were written to the `fixed_files`. `show_all` makes
    reports for people show every place of a finding. `fail_level` is the lowest severity that fails the run. `baseline`
    says which findings a baseline file left out. `older` is the number of findings that are left out because the
    project had them in the release `since`. `failures` are the findings that have the fail level of their own project,
    if there are several; None if there is one. `hidden` are findings that comments suppress, with the places of these.
    `unread` is the number of texts with a sentence that is printed, but not understood.
    """

    findings: tuple[LocatedFinding, ...]
    files: tuple[str, ...]
    cards: int
    checks: tuple[Check, ...]
    not_applicable: tuple[Check, ...]
    skipped: tuple[str, ...] = ()
    fix_count: int = 0
    fixed_files: tuple[str, ...] = ()
    show_all: bool = False
    fail_level: Severity = Severity.WARNING
    baseline: BaselineMatch | None = None
    since: str = ""
    older: int = 0
    failures: frozenset[LocatedFinding] | None = None
    hidden: tuple[tuple[LocatedFinding, Place], ...] = ()
    unread: int = 0

    @property
    def groups(self) -> tuple[GroupedFinding, ...]:
        """The findings as reports for people show them."""
        return tuple(map(Group, self.findings)) if self.show_all else group_findings(self.findings)

    @property
    def failed(self) -> bool:
        """True if a finding has the fail level or a higher severity."""
        return any(map(self.is_failure, self.findings))

    def is_failure(self, finding: LocatedFinding) -> bool:
        """Return whether a finding has the fail level or a higher severity."""
        if self.failures is not None:
            return finding in self.failures
        return _SEVERITY_RANK[finding.diagnostic.severity] >= _SEVERITY_RANK[self.fail_level]

    @property
    def statistics(self) -> Mapping[Check, int]:
        """The number of findings of each check, the largest first."""
        counts = Counter(one.check for one in self.findings)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].code)))

    @property
    def summary(self) -> str:
        """The last line: counts of findings, files, cards, and checks."""
        parts = [
            quantity(len(self.files), "file"),
            quantity(self.cards, "card"),
            f"{quantity(len(self.checks), 'check')} run",
        ]
        if self.not_applicable:
            parts.append(f"{len(self.not_applicable)} had nothing to check")
        if self.skipped:
            parts.append(f"{quantity(len(self.skipped), 'other file')} skipped")
        if self.baseline:
            parts.append(f"{quantity(self.baseline.left_out, 'finding')} in the baseline")
            if self.baseline.stale:
                parts.append(f"{sum(self.baseline.stale.values()):,} stale")
        if self.since:
            parts.append(f"{quantity(self.older, 'older finding')} not shown")
        are = "text is only printed" if self.unread == 1 else "texts are only printed"
        unread = f"; {self.unread:,} {are}, not understood: see 'cardgen explain --unread'" if self.unread else ""
        return f"{self._verdict}: {', '.join(parts)}{unread}"

    @property
    def _verdict(self) -> str:
        groups = self.groups
        severities = Counter(group.finding.diagnostic.severity for group in groups)
        parts = [quantity(severities[severity], severity.value) for severity in Severity if severities[severity]]
        names = [escape_controls(name) for name in self.fixed_files]
        rest = len(names) - MAX_SHOWN_PLACES
        shown = [*names[:MAX_SHOWN_PLACES], *([quantity(rest, "other file")] if rest > 0 else [])]
        fixed = [f"{self.fix_count} fixed in {join_words(shown, 'and')}"] if self.fix_count else []
        places = f" (in {len(self.findings):,} places)" if len(groups) < len(self.findings) else ""
        return ", ".join([*parts, *fixed]) + places if parts or fixed else "clean"


def merge_results(parts: Sequence[CheckResult]) -> CheckResult:
    """Return the results of several projects as one, in which each finding fails the run if it fails its project."""
    if len(parts) == 1:
        return parts[0]
    checks = tuple(dict.fromkeys(check for each in parts for check in each.checks))
    met = {check for each in parts for check in each.checks if check not in each.not_applicable}
    return parts[0]._replace(
        findings=sort_findings(one for each in parts for one in each.findings),
        files=tuple(file for each in parts for file in each.files),
        cards=sum(each.cards for each in parts),
        checks=checks,
        not_applicable=tuple(check for check in checks if check.find and check not in met),
        skipped=tuple(file for each in parts for file in each.skipped),
        fix_count=sum(each.fix_count for each in parts),
        fixed_files=tuple(file for each in parts for file in each.fixed_files),
        older=sum(each.older for each in parts),
        failures=frozenset(one for each in parts for one in each.findings if each.is_failure(one)),
        unread=sum(each.unread for each in parts),
    )


def paths_from(result: CheckResult, root: Path) -> CheckResult:
    """Return a result whose paths start from a folder instead of the current one."""

    def moved(place: Place) -> Place:
        return place if place.is_argument else place._replace(file=relative_name(place.file, root))

    def there(one: LocatedFinding) -> LocatedFinding:
        each = one.diagnostic
        related = tuple((moved(place), label) for place, label in each.related)
        return one._replace(diagnostic=each._replace(place=moved(each.place), related=related))

    return result._replace(
        findings=tuple(map(there, result.findings)),
        files=tuple(relative_name(file, root) for file in result.files),
        failures=None if result.failures is None else frozenset(map(there, result.failures)),
    )


def sort_findings(findings: Iterable[LocatedFinding]) -> tuple[LocatedFinding, ...]:
    """Sort findings by file and place, and remove duplicates."""
    unique = {(one.diagnostic, one.check.code): one for one in findings}
    return tuple(sorted(unique.values(), key=lambda one: one.diagnostic.sort_key()))


@dataclass(slots=True)
class RunRecord:
    """The findings of a run, and the names of the applicable checks."""

    findings: list[LocatedFinding] = field(default_factory=list)
    applicable: set[str] = field(default_factory=set)


# Cards that are drawn, with their positions.
Drawn: TypeAlias = Iterable[tuple[CheckContext, object]]


def run_checks(
    scope: CheckScope,
    checks: Iterable[Check],
    rendered: Drawn = (),
    find_in_cards: FindInCards | None = find_here,
) -> RunRecord:
    """Run checks on the scope, its files, cards, and rendered cards.

    `find_in_cards` checks the cards, by default in this process; None leaves files and cards out.
    """
    record = RunRecord()
    dispatch = Dispatch(checks, record.applicable)
    things = ((CheckContext(scope), each) for each in (scope, *(scope.documents if find_in_cards else ())))
    for context, thing in (*things, *rendered):
        for check, find in dispatch[type(thing), context.entry.game if context.entry else ""]:
            record.findings += [locate(finding, check, context) for finding in find(thing, context)]
    for context, (finding, check) in find_in_cards(scope, dispatch) if find_in_cards else ():
        record.findings.append(locate(finding, check, context))
    return record


Interested = Callable[[type, str], Iterable[tuple[Check, Find]]]
Walk = Callable[[Model], Iterable[tuple[object, tuple[str | int, ...], tuple[Model, ...]]]]


def findings_in_sentences(
    free_text: FreeText, context: CheckContext, interested: Interested, walk: Walk
) -> Iterator[tuple[Finding, Check]]:
    """Yield the findings of a game's checks on the sentences of a text that were read exactly.

    `interested` returns the checks of a type of model for a game, and `walk` the parts of a model. A text
    beside effects is left out, because the effects are checked.
    """
    thing, entry = context.parent, context.entry
    if not (free_text.is_rules_text and thing and entry) or getattr(thing, "effects", None):
        return
    reader = context.scope.readers(entry.game)
    if reader is None:
        return
    from cardgen.grammar.reading import Level  # loaded here because most cards have effects instead of texts

    for sentence in reader.read(thing, free_text.text):
        for model in reader.models(sentence) if sentence.level == Level.READ else ():
            for part, route, ancestors in walk(model):
                inner = context._replace(ancestors=(*context.ancestors, *ancestors))
                for check, find in interested(type(part), entry.game):
                    for finding in find(part, inner):
                        yield _at_words(finding, check, sentence, value_at(model, (*route, *finding.route)))


def unread_texts(entry: Entry, scope: CheckScope) -> int:
    """Return how many texts of a card have a sentence that its game reads as nothing."""
    parts = (part for part, _, _ in walk_parts(entry.card) if isinstance(part, Model))
    own = ((part, getattr(part, "text", None)) for part in parts if not getattr(part, "effects", None))
    texts = [(part, text) for part, text in own if text]
    reader = scope.readers(entry.game) if texts else None
    if reader is None:
        return 0
    from cardgen.grammar.reading import Level  # loaded here because most cards have effects instead of texts

    return sum(any(each.level == Level.UNREAD for each in reader.read(part, text)) for part, text in texts)


def _at_words(finding: Finding, check: Check, sentence: SentenceReading, value: object) -> tuple[Finding, Check]:
    """Return the finding at the words of a text, with a severity of warning or error."""
    at_words = finding._replace(
        route=(), text_range=_range_of(sentence, value), at_key=False, word="", fix=None, related=()
    )
    return at_words, check._replace(severity=Severity.WARNING) if check.severity is Severity.NOTE else check


def _range_of(sentence: SentenceReading, value: object) -> tuple[int, int]:
    """Return the range of the only clause with a number, or else of the sentence."""
    if isinstance(value, int) and not isinstance(value, bool):
        clauses = [clause for clause in sentence.clauses if str(abs(value)) in clause.text]
        if len(clauses) == 1:
            return clauses[0].start, clauses[0].end
    return sentence.start, sentence.end
