"""What a template looks at: by this it is known what has to be worked out anew for another card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TemplateDependencies:
    """What a template looks at.

    `names` are looked up in its context. `below` are the templates that it names, None where that is worked out only
    when it is rendered. `contained` are its macros that look at nothing but their arguments, and at others of these.
    `lends_macros` says that it is made of macros and of nothing else, and that these lead nowhere else; `stored` are
    the names that it gives to something else than a macro.
    """

    names: frozenset[str] = frozenset()
    referenced_templates: tuple[str | None, ...] = ()
    pure_macros: frozenset[str] = frozenset()
    only_macros: bool = False
    assigned: frozenset[str] = frozenset()


@dataclass(slots=True)
class DependencyRecorder:
    """What is noted of a template while it is compiled.

    `macros` holds what each macro looks at outside of itself. A macro that leads elsewhere looks at '', which is no
    name that anything could have.
    """

    names: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    macros: dict[str, set[str]] = field(default_factory=dict)
    dynamic: bool = False
    _defined: Counter[str] = field(default_factory=Counter)
    # What the macros look at that are being compiled, the outer ones first.
    _open: list[set[str]] = field(default_factory=list)

    def record_outer_name(self, name: str) -> None:
        """Note a name that stands outside of the macros that are being compiled."""
        for names in self._open:
            names.add(name)

    def mark_dynamic(self) -> None:
        """Note that what comes of this place depends on more than names."""
        self.dynamic = True
        self.record_outer_name("")

    @contextmanager
    def macro(self, name: str) -> Iterator[None]:
        """Note what a macro looks at in the block."""
        self._defined[name] += 1
        self._open.append(self.macros.setdefault(name, set()))
        try:
            yield
        finally:
            self._open.pop()

    def pure_macros(self, top_level: Iterable[str], constants: Set[str]) -> frozenset[str]:
        """The macros, of those that are defined outermost, that look at their arguments and at others of these only.

        `known` are the names that stand for the same in every template.
        """
        pure = {name for name in top_level if self._defined[name] == 1 and name not in self.assigned}
        while impure := {name for name in pure if not self.macros[name] - constants <= pure}:
            pure -= impure
        return frozenset(pure)
