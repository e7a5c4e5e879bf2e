"""Discovers checks: one per module, and the fixed limits in limits.txt."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from cardgen.checking.check import Check
from cardgen.checking.example_cards import insert_example_cards, read_example_cards
from cardgen.diagnostic import Severity
from cardgen.validation.suggestion import did_you_mean

GENERAL_CHECKS = "cardgen.checking.checks"
LIMITS_FILE = "limits.txt"
# Stands for a tab in a docstring, because Python 3.13 replaces the tabs there with spaces.
_TAB_SYMBOL = "␉"
_PAGE_SEPARATOR = "\n---\n"


@dataclass(frozen=True)
class Registry:
    """All checks, sorted by code."""

    checks: tuple[Check, ...]

    @cached_property
    def _by_word(self) -> dict[str, Check]:
        return {word: check for check in self.checks for word in (check.code, check.name)}

    def find(self, word: str) -> Check | None:
        """Return the check with a code or name, or None."""
        return self._by_word.get(word) or self._by_word.get(word.upper())

    def matching(self, word: str) -> tuple[Check, ...]:
        """Return the checks that match a name, code, code prefix, or 'all'."""
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
    return source() if callable(source) else (*_checks_in(source), *_fixed_limits(source))


def _checks_in(package: str) -> Iterator[Check]:
    paths = import_module(package).__path__
    cards = read_example_cards(Path(*paths))
    for info in pkgutil.iter_modules(paths):
        check = _check_from_module(import_module(f"{package}.{info.name}"))
        yield check._replace(manual=partial(insert_example_cards, check.page, cards)) if cards.head else check


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


def _fixed_limits(package: str) -> Iterator[Check]:
    """Yield the fixed limits of a package, from its limits.txt."""
    file = Path(*import_module(package).__path__) / LIMITS_FILE
    for text in file.read_text(encoding="utf-8").split(_PAGE_SEPARATOR) if file.is_file() else ():
        head, _, page = text.strip().partition("\n")
        code, name, *severity = head.split()
        yield Check(code, name, page, Severity(*severity or [Severity.ERROR]))
