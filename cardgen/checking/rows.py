"""Checks as rows of a text file: code, name, severity, confidence, condition, and manual page.

A fixed limit has no condition, and no confidence. The condition of a check is an expression, or the function with the
name of the check in the Python module beside the file, which has its name:

    WC301 weak-critical error certain
    on: limits.Weapon
    when: critical < damage
    at: critical
    say: a critical hit allocates {{ critical }}, but a hit allocates {{ damage }}
    help: did you mean {{ critical }}/{{ damage }}?
    A critical hit that allocates fewer damage points than a hit.

    Why is this bad?
        A critical hit is the best possible roll.

`on` is a model of the game, and `at` the key to point to, if any, with a colon if the value is too long. `word` is the
part of a line to point to, and `fix` a safe replacement. Names in expressions are keys and properties of the model, and
those that `NAMES` of the package of checks adds, each computed from the model and the context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgen.checking.check import Check, CheckContext, Confidence, Finding, Findings, Fix, rule
from cardgen.diagnostic import Severity
from cardgen.sandbox.expression import Expression, TextTemplate
from cardgen.sandbox.values import MISSING, attribute

_SEPARATOR = "\n---\n"
_KEY = re.compile(r"(on|when|at|word|say|help|fix): (.*)\n")
# A name that a package of checks adds: its value for the model that is checked.
AddedName = Callable[[Any, CheckContext], Any]


class RowCondition:
    """The condition of a row and the texts of its finding; they are compiled at their first use."""

    def __init__(self, keys: Mapping[str, str], added: Mapping[str, AddedName]) -> None:
        self.added, at = added, keys.get("at", "")
        self.route, self.at_key = (at.rstrip(":"),) if at else (), at.endswith(":")
        self.when = Expression(keys["when"], at_once=False)
        self.texts = {
            key: TextTemplate(keys[key], at_once=False) for key in ("say", "help", "word", "fix") if key in keys
        }

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in all of its expressions."""
        return self.when.names.union(*(text.names for text in self.texts.values()))

    def find(self, part: Any, context: CheckContext) -> Findings:
        """Yield a finding if the condition holds for a part of a card."""
        values = {name: value for name in self.names if (value := attribute(part, name)) is not MISSING}
        values |= {name: value_of(part, context) for name, value_of in self.added.items() if name in self.names}
        if self.when.evaluate(values):
            say, help_text, word, fix = (
                self.texts[key].render(values) if key in self.texts else "" for key in ("say", "help", "word", "fix")
            )
            safe_fix = Fix(fix, safe=True) if fix else None
            yield Finding(say, self.route, help_text, fix=safe_fix, word=word, at_key=self.at_key)


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
