"""What a release stores of a project's own rules: of its games, and of the settings of games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.model.card_values import CardValue, Scalar, pointer
from cardgen.model.entry import Entry
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.release.content.game_changes import SETTINGS
from cardgen.project import Project
from cardgen.referee.ruling import settings_in_force
from cardgen.rulesets.game_settings import plain_settings
from cardgen.rulesets.ruleset import GlossaryTerm, Ruleset
from cardgen.runtime import installed_games
from cardgen.source import KeyPath
from cardgen.validation.base import Aspect

RULINGS = "rulings"
# A word, or another character.
_WORD = re.compile(r"\w+|[^\w\s]")


def game_values(project: Project, game: str) -> dict[str, Scalar]:
    """Return the rules of a game that belong to the project, by JSON pointer: its game file, fields, and settings."""
    rules = require_game(game)
    own = list(rules.rule_values()) if rules.rule_values else []
    if not _is_installed(game):
        own += _answers(project, rules)
    with game_settings.in_force(project):
        settings = plain_settings(rules.settings)
    return {pointer(path): value for path, value in (*own, *_flat(settings, (SETTINGS,)))}


def _is_installed(game: str) -> bool:
    """Return whether a game comes with the program or a package; its texts change with them, not with the project."""
    return game in installed_games.locations()


def _answers(project: Project, rules: Ruleset) -> Iterator[tuple[KeyPath, str]]:
    """Yield the answer in force to each question that the rules leave open."""
    settings, _ = settings_in_force(rules.rulings, project.settings.rulings)
    return (((RULINGS, each.id), each.settings[settings[each.id]]) for each in rules.rulings)


def _flat(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, Scalar]]:
    """Yield the values below one by key path; items of lists are keys, so that their order does not matter."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for item in value:
            yield (*path, str(item)), True
    elif isinstance(value, str | int | float):
        yield path, value


def terms_of(entry: Entry, texts: Iterable[Scalar]) -> dict[str, Scalar]:
    """Return the terms of a project's own game that a card uses in its texts, including the text of its kind."""
    rules = require_game(entry.game)
    if _is_installed(entry.game) or not rules.terms:
        return {}
    words = "\n".join((*map(str, texts), _printed_text(rules, entry)))
    return dict.fromkeys(sorted(set(_terms_in(words, _forms(rules.terms)))), True)


def _printed_text(rules: Ruleset, entry: Entry) -> str:
    """Return the text that a card prints, or '' if its template fails, which a check reports."""
    try:
        return rules.describe(entry.card)
    except CardgenError:
        return ""


def _terms_in(text: str, forms: _Forms) -> Iterator[str]:
    """Yield the terms whose forms are in a text as whole words; of several at one place, the longest counts."""
    end = 0
    for match in _WORD.finditer(text):
        start = match.start()
        for length in forms.lengths.get(match[0], ()) if start >= end else ():
            form = text[start : start + length]
            if form in forms.terms and not text[start + length : start + length + 1].isalnum():
                end = start + length
                yield from forms.terms[form]
                break


def is_listed_term(game: str, each: CardValue) -> bool:
    """Return whether a value is a term of the glossary in a list, such as a keyword, though its type is text."""
    is_listed = each.aspect is Aspect.WORDS and isinstance(each.key_path[-1], int) and each.key_path[0] != "tags"
    return is_listed and each.value in _forms(require_game(game).terms).terms


class _Forms(NamedTuple):
    """The terms of each form, and the lengths of forms by their first word, the longest first."""

    terms: Mapping[str, Sequence[str]]
    lengths: Mapping[str, Sequence[int]]


@lru_cache(maxsize=8)
def _forms(terms: tuple[GlossaryTerm, ...]) -> _Forms:
    names: dict[str, list[str]] = {}
    lengths: dict[str, set[int]] = {}
    for term in terms:
        for form in dict.fromkeys(form for each in term.forms for form in (each, each[0].lower() + each[1:])):
            names.setdefault(form, []).append(term.name)
            if first := _WORD.match(form):
                lengths.setdefault(first[0], set()).add(len(form))
    return _Forms(names, {word: sorted(each, reverse=True) for word, each in lengths.items()})
