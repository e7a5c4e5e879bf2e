"""Discovers checks: modules that are one check each, and rows of text files, such as the small checks of the games.

A fixed limit has no condition, and no confidence. The condition of a check is an expression, or the function with the
name of the check in the Python module beside the file, which has its name:

    WC301 weak-critical error certain
    on: limits.Weapon
    when: critical < damage
    at: critical
    say: a critical hit allocates {critical}, but a hit allocates {damage}
    help: did you mean {critical}/{damage}?
    A critical hit that allocates fewer damage points than a hit.

    Why is this bad?
        A critical hit is the best possible roll.

`on` is a model of the game, and `at` the key to point to, if any, with a colon if the value is too long. `word` is the
part of a line to point to, and `fix` a safe replacement. The condition is an expression of Python, and the other texts
are formatted with such expressions in braces. Names in them are keys and properties of the model, and those that
`NAMES` of the package of checks adds, each computed from the model and the context.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, TypeAlias

from cardgen.checking.check import Check, CheckContext, Confidence, Finding, Findings, rule
from cardgen.checking.locate import LocatedFinding
from cardgen.diagnostic import Code, Diagnostic, Fix, Place, Severity, Span, did_you_mean
from cardgen.source import Document

_SEPARATOR = "\n---\n"
_KEY = re.compile(r"(on|when|at|word|say|help|fix): (.*)\n")
# A name that a package of checks adds: its value for the model that is checked.
AddedName = Callable[[Any, CheckContext], Any]


class RowCondition:
    """The condition of a row and the texts of its finding, compiled at their first use."""

    def __init__(self, keys: Mapping[str, str], added: Mapping[str, AddedName]) -> None:
        self._keys, self._added, at = keys, added, keys.get("at", "")
        self._route, self._at_key = (at.rstrip(":"),) if at else (), at.endswith(":")

    @cached_property
    def _sources(self) -> Mapping[str, ast.Expression]:
        texts = {key: f"f{self._keys.get(key, '')!r}" for key in ("say", "help", "word", "fix")}
        return {key: ast.parse(source, mode="eval") for key, source in {"when": self._keys["when"], **texts}.items()}

    @cached_property
    def _codes(self) -> Mapping[str, CodeType]:
        return {key: compile(source, f"<{key}>", "eval") for key, source in self._sources.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in all of its expressions."""
        nodes = (node for source in self._sources.values() for node in ast.walk(source))
        return frozenset(node.id for node in nodes if isinstance(node, ast.Name))

    def find(self, part: Any, context: CheckContext) -> Findings:
        """Yield a finding if the condition holds for a part of a card."""
        values = {name: getattr(part, name) for name in self.names if hasattr(part, name)}
        values |= {name: value_of(part, context) for name, value_of in self._added.items() if name in self.names}
        when, *texts = self._codes.values()
        if eval(when, {}, values):  # The files are code of the program.
            say, help_text, word, fix = (str(eval(text, {}, values)) for text in texts)
            safe_fix = Fix(fix, safe=True) if fix else None
            yield Finding(say, self._route, help_text, fix=safe_fix, word=word, at_key=self._at_key)


def checks_in_file(file: Path, package: str) -> Iterator[Check]:
    """Yield the fixed limits and the checks of a file in a package of checks."""
    for text in file.read_text(encoding="utf-8").split(_SEPARATOR):
        head, _, page = text.strip().partition("\n")
        code, name, *marks = head.split()
        if len(marks) < 2:
            yield Check(code, name, page, Severity(*marks or [Severity.ERROR]))
            continue
        keys: dict[str, str] = {}
        while match := _KEY.match(page):
            keys[match[1]] = match[2]
            page = page[match.end() :]
        severity, confidence = marks
        if "when" in keys:
            module, model = keys["on"].split(".")
            looks_at = (getattr(import_module(f"{package.rpartition('.')[0]}.{module}"), model),)
            find = RowCondition(keys, getattr(import_module(package), "NAMES", {})).find
            yield Check(code, name, page, Severity(severity), Confidence(confidence), looks_at, find)
        else:
            function = getattr(import_module(f"{package}.{file.stem}"), name.replace("-", "_"))
            yield rule(code, severity, confidence)(function)._replace(name=name, manual=page)


GENERAL_CHECKS = "cardgen.checking.checks"
# Stands for a tab in a docstring, because Python 3.13 replaces the tabs there with spaces.
_TAB_SYMBOL = "␉"


@dataclass(frozen=True)
class Registry:
    """All checks, sorted by code."""

    checks: tuple[Check, ...]

    @cached_property
    def _by_word(self) -> dict[str, Check]:
        return {word: check for check in self.checks for word in (check.code, check.name)}

    @cached_property
    def _prefixes(self) -> frozenset[str]:
        return frozenset(check.code[:end] for check in self.checks for end in range(1, len(check.code) + 1))

    def find(self, word: str) -> Check | None:
        """Return the check with a code or name, or None."""
        return self._by_word.get(word) or self._by_word.get(word.upper())

    def matching(self, word: str) -> tuple[Check, ...]:
        """Return the checks that match a name, code, code prefix, or 'all'."""
        if word not in self._by_word and word.upper() not in self._prefixes and word.casefold() != "all":
            return ()
        return tuple(check for check in self.checks if check.matches(word))

    def refusal(self, word: str, *, to_ignore: bool = False) -> str:
        """Return why a word cannot select (or ignore) checks, or ''."""
        matches = self.matching(word)
        if not matches:
            return f"unknown check '{word}'{did_you_mean(word, self._by_word)}"
        if to_ignore and all(check.is_fixed_limit for check in matches):
            return f"'{word}' is a fixed limit and cannot be ignored"
        return ""

    def choose(self, select: Iterable[str], ignore: Iterable[str], *, fit: bool) -> tuple[Check, ...]:
        """Return the checks to run; fit and print only if requested."""
        selected, ignored = tuple(select), tuple(ignore)
        return tuple(
            check
            for check in self.checks
            if (any(map(check.matches, selected)) if selected else True)
            and not any(map(check.matches, ignored))
            and (not check.needs_rendering or fit or any(map(check.matches, selected)))
        )


# A package with checks, or a function that returns checks.
CheckSource: TypeAlias = str | Callable[[], Iterable[Check]]


def load_registry(sources: Mapping[CheckSource, str]) -> Registry:
    """Load the checks of packages and functions; each has a game or ''."""
    checks = [check._replace(game=game) for source, game in sources.items() for check in _load_checks(source)]
    return Registry(tuple(sorted(checks, key=lambda check: check.code)))


def _load_checks(source: CheckSource) -> Iterable[Check]:
    return source() if callable(source) else _checks_in(source)


def _checks_in(package: str) -> Iterator[Check]:
    """Yield the checks of a package: those of its modules that are one check each, and the rows of its text files."""
    paths = import_module(package).__path__
    cards, files = read_example_cards(Path(*paths)), {file.stem: file for file in Path(*paths).glob("*.txt")}
    modules = [info.name for info in pkgutil.iter_modules(paths) if info.name not in files]
    rows = (checks_in_file(file, package) for file in files.values())
    for check in chain((_check_from_module(import_module(f"{package}.{name}")) for name in modules), *rows):
        has_cards = bool(cards.head) and not check.is_fixed_limit
        yield check._replace(manual=partial(insert_example_cards, check.page, cards)) if has_cards else check


def _check_from_module(module: ModuleType) -> Check:
    if isinstance(module.find, Check):
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        return module.find._replace(name=name, manual=module.__doc__ or "")
    looks_at = module.LOOKS_AT if isinstance(module.LOOKS_AT, tuple) else (module.LOOKS_AT,)
    return Check(
        code=module.CODE,
        name=module.NAME,
        manual=(module.__doc__ or "").replace(_TAB_SYMBOL, "\t"),
        severity=module.SEVERITY,
        confidence=module.CONFIDENCE,
        looks_at=looks_at,
        find=module.find,
    )


EXAMPLES_FILE = "examples.yaml"
_EXAMPLE = re.compile(r"(?=^(?:Example|Use instead)$)", re.MULTILINE)
_PLACE = re.compile(r"^( *)\.\.\.\n", re.MULTILINE)
_CARD = re.compile(r"^(?=  - )", re.MULTILINE)
_NAME = re.compile(r"\bname: ([^,}\n]+)")


class ExampleCards(NamedTuple):
    """The first lines of an examples.yaml, and the YAML text of its cards by name."""

    head: str = ""
    cards: tuple[tuple[str, str], ...] = ()


def read_example_cards(folder: Path) -> ExampleCards:
    """Return what the examples of a package share, from its examples.yaml; nothing without the file."""
    file = folder / EXAMPLES_FILE
    if not file.is_file():
        return ExampleCards()
    head, *cards = _CARD.split(file.read_text(encoding="utf-8"))
    lines = [line for line in head.splitlines(keepends=True) if not line.startswith("#")]
    return ExampleCards("".join(lines), tuple((match[1], card) for card in cards if (match := _NAME.search(card))))


def insert_example_cards(page: str, shared: ExampleCards) -> str:
    """Replace the line '...' of each example by the shared beginning and the shared cards that the example names."""
    return "".join(_fill(part, shared) for part in _EXAMPLE.split(page)) if shared.head else page


def _fill(example: str, shared: ExampleCards) -> str:
    used = [card for name, card in shared.cards if re.search(rf"(?<!name: )\b{re.escape(name)}\b", example)]
    lines = "".join((shared.head, *used)).splitlines()
    return _PLACE.sub(lambda place: "".join(f"{place[1]}{line}\n" for line in lines), example)


_MARK = "cardgen:"
_IGNORE = re.compile(r"cardgen:\s*ignore\[([^\]]*)\]\s*(.*)")
_ADVICE = "write '# cardgen: ignore[CODE] reason'"


@dataclass(slots=True)
class Suppression:
    """A word in a suppression comment, with the lines it covers, and its number in the file."""

    word: str
    place: Place
    first_line: int
    last_line: int
    codes: frozenset[str]
    number: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppression comments of all files, problems with them, and the findings that they suppressed."""

    by_file: dict[str, list[Suppression]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    hidden: list[tuple[LocatedFinding, Place]] = field(default_factory=list)

    def filter_findings(self, findings: Iterable[LocatedFinding]) -> list[LocatedFinding]:
        """Return the findings that are not suppressed."""
        covers = {file: _Cover(each) for file, each in self.by_file.items()}
        remaining = []
        for one in findings:
            cover = covers.get(one.diagnostic.place.file)
            covering = cover.first_of(one) if cover else None
            if covering:
                self.hidden.append((one, covering.place))
            else:
                remaining.append(one)
        return remaining

    def unused_diagnostics(self, codes_run: frozenset[str]) -> list[Diagnostic]:
        """Return a diagnostic for each unused suppression whose checks all ran."""
        unused_ones = [
            each
            for suppressions in self.by_file.values()
            for each in suppressions
            if not each.used and each.codes <= codes_run
        ]
        return [
            Diagnostic(
                Code.UNUSED_SUPPRESSION,
                f"unused suppression of '{each.word}'",
                each.place,
                "remove the comment",
                Severity.WARNING,
            )
            for each in unused_ones
        ]


class _Cover:
    """The suppressions of a file by the lines that they cover; those with the same lines and codes are one group."""

    def __init__(self, suppressions: Iterable[Suppression]) -> None:
        self._groups: dict[tuple[int, int], dict[frozenset[str], list[Suppression]]] = {}
        for each in suppressions:
            groups = self._groups.setdefault((each.first_line, each.last_line), {})
            groups.setdefault(each.codes, []).append(each)
        self._ranges: dict[int, list[tuple[int, int]]] = {}
        for lines in self._groups:
            for line in range(lines[0], lines[1] + 1):
                self._ranges.setdefault(line, []).append(lines)

    def first_of(self, finding: LocatedFinding) -> Suppression | None:
        """Return the first suppression of a finding, and mark all as used; None without any."""
        if finding.check.is_fixed_limit:
            return None
        places = (finding.diagnostic.place, finding.anchor)
        lines = [place.span.line for place in places if place and place.span]
        near = {each for line in lines for each in self._ranges.get(line, ())} if lines else self._groups.keys()
        code = finding.check.code
        found = [group for each in near for codes, group in self._groups[each].items() if code in codes]
        for group in found:
            if not group[0].used:
                for each in group:
                    each.used = True
        return min((group[0] for group in found), key=lambda first: first.number, default=None)


def read_suppressions(documents: Iterable[Document], registry: Callable[[], Registry]) -> Suppressions:
    """Read the suppression comments of all files."""
    result = Suppressions()
    for document in documents:
        if _MARK in document.line_index.text:
            _read_document(document, registry(), result)
    return result


def _read_document(document: Document, registry: Registry, result: Suppressions) -> None:
    lines = document.line_index.text.split("\n")
    comments = document.comments()
    own_line_comments = {comment.line for comment in comments if lines[comment.line - 1].lstrip().startswith("#")}
    content = [number for number, line in enumerate(lines, 1) if line.strip() and number not in own_line_comments]
    starts, end = _card_lines(document), document.line_index.line_number(len(document.line_index.text)) + 1
    codes: dict[str, frozenset[str]] = {}
    found = result.by_file.get(document.file, [])
    for comment in comments:
        if not comment.text.startswith(_MARK):
            continue
        line = lines[comment.line - 1]
        start = line.rindex("#", 0, line.rindex(_MARK)) + 1
        place = Place(document.file, Span(comment.line, start, comment.line, len(line.rstrip()) + 1), line)
        match = _IGNORE.fullmatch(comment.text)
        words = [word.strip() for word in match[1].split(",")] if match else []
        problem = _problem(words, match[2] if match else None, registry)
        if problem:
            result.problems.append(Diagnostic(Code.MALFORMED_SUPPRESSION, problem, place, _ADVICE))
            continue
        line_range = comment.line, comment.line
        if comment.line in own_line_comments:
            line_range = _lines_below(comment.line, content, starts, end)
        for word in words:
            if word not in codes:
                codes[word] = frozenset(check.code for check in registry.matching(word))
            found.append(Suppression(word, place, *line_range, codes[word], len(found)))
    if found:
        result.by_file[document.file] = found


def _problem(words: Sequence[str], reason: str | None, registry: Registry) -> str:
    """Return the problem of a suppression comment, or ''."""
    if reason is None:
        return "not a valid suppression comment"
    if not any(words):
        return "suppression comment without a check"
    for word in words:
        refusal = registry.refusal(word, to_ignore=True)
        if refusal:
            return refusal
    return "" if reason.strip() else "suppression comment without a reason"


def _card_lines(document: Document) -> list[int]:
    """Return the lines in which the cards of a file begin."""
    cards = document.data.get("cards") if isinstance(document.data, dict) else None
    count = len(cards) if isinstance(cards, list) else 0
    return [_start_line(document.place(("cards", index))) for index in range(count)]


def _lines_below(line: int, content: Sequence[int], starts: Sequence[int], end: int) -> tuple[int, int]:
    """Return the lines that a comment on a line of its own covers: those of the next card, or all."""
    if not content or line < content[0]:
        return 1, end
    next_content = bisect_right(content, line)
    following = content[next_content] if next_content < len(content) else end
    index = bisect_right(starts, following) - 1
    if index < 0:
        return 1, end
    return starts[index], starts[index + 1] - 1 if index + 1 < len(starts) else end


def _start_line(place: Place) -> int:
    return place.span.line if place.span else 1
