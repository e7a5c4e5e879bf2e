"""Checks as rows of a text file: code, name, severity, confidence, condition, and manual page.

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
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from cardgen.checking.check import Check, CheckContext, Confidence, Finding, Findings, Fix, rule
from cardgen.diagnostic import Severity

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
