"""What the output of a template depends on, recorded while it is compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple


# Part of a FAST PATH: these dependencies tell the sandbox which macros it can cache (see there).
class TemplateDependencies(NamedTuple):
    """Dependencies of a template.

    `names` are the names that it looks up in its context. `referenced_templates` are the templates it refers to, None
    for a name that is computed at render time. `pure_macros` are the macros that depend only on their arguments and on
    other pure macros. `only_macros` is true if it has nothing but macros and constants, and refers to no template.
    `assigned` are the names that it assigns to anything but a macro.
    """

    names: frozenset[str] = frozenset()
    referenced_templates: tuple[str | None, ...] = ()
    pure_macros: frozenset[str] = frozenset()
    only_macros: bool = False
    assigned: frozenset[str] = frozenset()


@dataclass(slots=True)
class DependencyRecorder:
    """Recorder of a template's dependencies while it is compiled.

    `macros` has the outer names that each macro uses. A macro whose output depends on anything else uses '', which
    cannot be the name of anything.
    """

    names: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    macros: dict[str, set[str]] = field(default_factory=dict)
    dynamic: bool = False
    _defined: Counter[str] = field(default_factory=Counter)
    # The outer names used by the macros being compiled, outermost first.
    _open: list[set[str]] = field(default_factory=list)

    def record_outer_name(self, name: str) -> None:
        """Record a name from outside the macros being compiled."""
        for names in self._open:
            names.add(name)

    def mark_dynamic(self) -> None:
        """Record that the output here depends on more than names."""
        self.dynamic = True
        self.record_outer_name("")

    @contextmanager
    def macro(self, name: str) -> Iterator[None]:
        """Record the outer names that a macro uses in the block."""
        self._defined[name] += 1
        self._open.append(self.macros.setdefault(name, set()))
        try:
            yield
        finally:
            self._open.pop()

    def pure_macros(self, top_level: Iterable[str], constants: Set[str]) -> frozenset[str]:
        """Return the top-level macros that depend only on their arguments.

        They can use other pure macros, and `constants`: names with the same meaning in every template.
        """
        pure = {name for name in top_level if self._defined[name] == 1 and name not in self.assigned}
        while impure := {name for name in pure if not self.macros[name] - constants <= pure}:
            pure -= impure
        return frozenset(pure)
