"""Macros that give the same text for the same arguments, so that it has to be worked out only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import CodeType, NoneType
from typing import Any

from jinja2 import Environment, meta, nodes
from markupsafe import Markup

# What a macro is given beside its own arguments.
_IMPLICIT = ("caller", "kwargs", "varargs")
_LEADS_ELSEWHERE = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Block, nodes.ContextReference)
_PLAIN = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that everything is worked out anew.
_MOST_CHARACTERS = 1 << 21


def self_contained(tree: nodes.Template, environment: Environment) -> frozenset[str]:
    """The macros of a template that look at nothing but their arguments, and at others of these."""
    defined = Counter(macro.name for macro in tree.find_all(nodes.Macro))
    elsewhere = stored_names(tree)
    needs = {
        macro.name: _looked_at(macro, environment)
        for macro in tree.body
        if isinstance(macro, nodes.Macro) and defined[macro.name] == 1 and macro.name not in elsewhere
    }
    found = {name for name, needed in needs.items() if needed is not None}
    while wrong := {name for name in found if not (needs[name] or frozenset()) <= found}:
        found -= wrong
    return frozenset(found)


def stored_names(tree: nodes.Template) -> set[str]:
    """All names that a template gives to something else than a macro."""
    names = {name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"}
    names |= {each.target for each in tree.find_all(nodes.Import)}
    imported = (name for each in tree.find_all(nodes.FromImport) for name in each.names)
    return names | {name if isinstance(name, str) else name[1] for name in imported}


def _looked_at(macro: nodes.Macro, environment: Environment) -> frozenset[str] | None:
    """The names that a macro looks at outside of itself; None where it leads elsewhere."""
    names = (name.name for name in macro.find_all(nodes.Name))
    if any(macro.find_all(_LEADS_ELSEWHERE)) or any(name in _IMPLICIT for name in names):
        return None
    alone = nodes.Template([macro], lineno=1)
    alone.set_environment(environment)
    return frozenset(meta.find_undeclared_variables(alone))


class Results:
    """What macros gave, by their code, their arguments and whether they escape."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], str] = {}
        self._characters = 0

    def key(
        self, code: CodeType, escaping: bool, values: Iterable[Any], named: Iterable[tuple[str, Any]]
    ) -> tuple[object, ...] | None:
        """What stands for a call; None where an argument is not plain."""
        parts: list[object] = [code, escaping]
        for value in values:
            plain = _plain(value)
            if plain is None:
                return None
            parts.append(plain)
        for name, value in named:
            plain = _plain(value)
            if plain is None:
                return None
            parts += (name, plain)
        return tuple(parts)

    def find(self, key: tuple[object, ...]) -> str | None:
        """What the same call gave before."""
        return self._known.get(key)

    def keep(self, key: tuple[object, ...], text: str) -> None:
        """Remember what a call gave; where that becomes too much, all else is forgotten."""
        self._characters += len(text)
        if self._characters > _MOST_CHARACTERS:
            self._known.clear()
            self._characters = len(text)
        self._known[key] = text


def _plain(value: Any) -> tuple[object, ...] | None:
    """A value with its type, since 1, 1.0 and True are equal and are not written alike."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if kind is dict and all(type(each) is str for pair in value.items() for each in pair):
        return kind, *value.items()
    return None
