"""Glossary and rulings of a game, from its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from cardgen.game_file.spec.document import RulingSpec, TermSpec
from cardgen.referee.ruling import Ruling
from cardgen.rulesets.ruleset import GlossaryTerm


def glossary_terms(specs: Mapping[str, TermSpec]) -> tuple[GlossaryTerm, ...]:
    """Return the terms of a glossary."""
    return tuple([_term(name, spec) for name, spec in specs.items()])


def _term(name: str, spec: TermSpec) -> GlossaryTerm:
    words = tuple(dict.fromkeys((name, *spec.forms)))
    forms = tuple(dict.fromkeys(_capitalized(words)))
    everyday = tuple([word[0].upper() + word[1:] for word in words if word[0].islower()])
    return GlossaryTerm(forms[0], spec.means, forms, spec.bold, everyday)


def _capitalized(words: Iterable[str]) -> Iterator[str]:
    return (word[0].upper() + word[1:] for word in words)


def rulings(specs: Mapping[str, RulingSpec]) -> tuple[Ruling, ...]:
    """Return the rulings of a game."""
    return tuple([Ruling(name, spec.question, MappingProxyType(dict(spec.settings))) for name, spec in specs.items()])
