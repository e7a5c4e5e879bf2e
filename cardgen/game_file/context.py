"""Shared state of the compilation of a game file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place, Severity
from cardgen.game_file.cards.line_format import LimitBook
from cardgen.game_file.spec.document import GameFile
from cardgen.rulesets.ruleset import GlossaryTerm, Kind
from cardgen.source import KeyPath
from cardgen.validation.base import Model
from cardgen.validation.source_map import SourceMap
from cardgen.validation.validate import Removal

if TYPE_CHECKING:  # Expressions load Jinja2, which games without any do not need.
    from cardgen.sandbox.frames import Shape
    from cardgen.sandbox.values import ExpressionError


@dataclass
class GameContext:
    """A game file on its way to a Ruleset.

    `folder` contains the file. `types` and `kinds` fill up while the file is read: first the parts, then the kinds.
    `limits` are the codes of all bounds so far, and `card_kinds` the kinds that fields name. Mistakes are collected in
    `problems`. `removals` are the parts of the file that were left out because their form is not valid. What a file
    has that `is_tested` is compiled at its first use. `scopes` are the names that checks can use, by the models of the
    checks.
    """

    spec: GameFile
    source_map: SourceMap
    folder: Path
    terms: tuple[GlossaryTerm, ...] = ()
    types: dict[str, type[Model]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    card_kinds: list[tuple[KeyPath, str]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    removals: tuple[Removal, ...] = ()
    is_tested: bool = False
    scopes: dict[tuple[type[Model], ...], Mapping[str, Shape]] = field(default_factory=dict)
    limits: LimitBook = field(init=False)

    def __post_init__(self) -> None:
        self.limits = LimitBook(self.spec.prefix, self.spec.name)

    @cached_property
    def term_forms(self) -> frozenset[str]:
        """All forms of the terms in the glossary."""
        return frozenset(form for term in self.terms for form in term.forms)

    def place(self, key_path: KeyPath, *, key: bool = False) -> Place:
        """Return the place of a value in the file, or of its key."""
        return self.source_map.place(key_path, key=key)

    def report(
        self,
        key_path: KeyPath,
        message: str,
        help_text: str = "",
        *,
        key: bool = False,
        code: str = Code.INVALID_GAME,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a mistake at a key path of the file, or at its key."""
        self.problems.append(Diagnostic(code, message, self.place(key_path, key=key), help_text, severity))

    def check_prefix(self, code: str | None, key_path: KeyPath) -> bool:
        """Return whether a code begins with the game's prefix, and report it if it does not."""
        prefix = self.spec.prefix
        if not code or code.startswith(prefix):
            return True
        self.report(key_path, f"the code must begin with the game's prefix, {prefix}", f"write {prefix}{code[2:]}")
        return False

    def place_in_text(self, key_path: KeyPath, text: str, start: int, end: int) -> Place:
        """Return the place of a part of a text in the file.

        If it cannot be located, return that of the whole text.
        """
        part = self.source_map.document.place_of_substring(self.source_map.source_path(key_path), text, start, end)
        return part or self.place(key_path)

    def report_in_text(self, key_path: KeyPath, text: str, error: ExpressionError) -> None:
        """Add a mistake in an expression or template at its place in the file."""
        place = self.place_in_text(key_path, text, error.start, error.end)
        self.problems.append(Diagnostic(Code.INVALID_GAME, error.message, place))
