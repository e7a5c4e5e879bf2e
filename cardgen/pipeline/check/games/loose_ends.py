"""Fields of a game file that nothing reads, and templates that print nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Severity
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.kinds import FieldSpec
from cardgen.pipeline.check.template_sources import TemplateSources
from cardgen.project import Project
from cardgen.project.files import DRAWN_SUFFIX, built_in_folder, game_folders, template_text
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.base import Model
from cardgen.validation.suggestion import did_you_mean

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOADED = re.compile(r"""\{%-?\s*(?:include|import|from|extends)\s+["']([^"']+)["']""")
# A tag that loads a template whose name is computed.
_COMPUTED = re.compile(r"\{%-?\s*(?:include|import|from|extends)\s+(?:[^\"'\s]|[^%]*~)")
# A file that a template shows as a picture.
_FILE = re.compile(r"""\bfile=["']([^"']+)["']""")
# Functions of templates that read all fields of a card.
_READ_ALL = frozenset({"numbers", "details", "parts", "model_dump"})


def unread_game_fields(context: GameContext, rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield the fields that no template, text, check, or trial reads."""
    words = _Words(context, rules, TemplateSources(project))
    for kind, spec in context.spec.kinds.items():
        known = words.of_kind(kind)
        for field in spec.fields:
            if not known & {field, *_READ_ALL}:
                yield _unread(("kinds", kind, "fields", field), kind, context)
    for name, part in context.spec.types.items():
        users = [kind for kind, spec in context.spec.kinds.items() if _uses(spec.fields, name)]
        known = set[str]().union(*map(words.of_kind, users))
        for field in part.fields:
            if known and not known & {field, "line", *_READ_ALL}:
                yield _unread(("types", name, "fields", field), name, context)


def _uses(fields: Mapping[str, FieldSpec], type_name: str) -> bool:
    """Return whether a field is of a type, also in lists and maps."""
    every: list[FieldSpec | None] = [*fields.values()]
    while every:
        field = every.pop()
        if field and field.type == type_name:
            return True
        every += [field.items] if field and field.items else []
    return False


def _unread(path: tuple[str, ...], owner: str, context: GameContext) -> Diagnostic:
    message = f"nothing reads the field '{path[-1]}' of a {owner}"
    help_text = "use it in a template, a text, a check, or a trial, or remove it"
    return Diagnostic(Code.LOOSE_END, message, context.place(path, key=True), help_text, Severity.WARNING)


class _Words:
    """The words of everything that can read a field."""

    def __init__(self, context: GameContext, rules: Ruleset, sources: TemplateSources) -> None:
        self._context, self._rules, self._sources = context, rules, sources

    def of_kind(self, kind: str) -> set[str]:
        """Return the words of a kind's templates and text, and of all checks and trials."""
        if self._sources.find(self._rules.id, kind) is None and self._rules.kinds[kind].generic:
            return set(_READ_ALL)  # the generic template prints every field
        spec = self._context.spec.kinds[kind]
        own = " ".join((spec.text or "", *map(str, spec.boxes.values()), str(spec.size), self._templates_of(kind)))
        return {*_WORD.findall(own), *self._common}

    def _templates_of(self, kind: str) -> str:
        """Return the sources of a kind's templates; without a certain closure, of all templates of the game."""
        return self._sources.of_kind(self._rules.id, kind) or self._sources.of_game(self._rules.id)

    @cached_property
    def _common(self) -> set[str]:
        spec = self._context.spec
        texts = [*_strings(spec.checks), *_strings(spec.trials), *_strings(spec.pieces), *spec.lists]
        limits = [field for each in spec.lists.values() for field in each.limits]
        return {*limits, *_WORD.findall(" ".join(texts))}


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in a part of the game file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Model):
        for each in value.__dict__.values():
            yield from _strings(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _strings(each)


def unused_templates(context: GameContext, rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield the templates in the game's folders that belong to no kind, and that no other template loads."""
    files = _template_files(project, rules.id)
    written = [template_text(path) for path in files if path.suffix == ".j2"]
    if any(map(_COMPUTED.search, written)):
        return
    named = {name.rpartition("/")[2] for text in written for name in (*_LOADED.findall(text), *_FILE.findall(text))}
    every = dict.fromkeys(path.name for path in files)
    for name in every:
        if problem := _unused(name, {*every}, named, rules):
            place = context.place(("kinds",), key=True)
            yield Diagnostic(Code.LOOSE_END, problem[0], place, problem[1], Severity.WARNING)


def _unused(name: str, every: set[str], named: set[str], rules: Ruleset) -> tuple[str, str] | None:
    """Return why a template prints nothing, and what to do; None if it does."""
    stem = name.removesuffix(".j2").removesuffix(".svg")
    if name in named:
        return None
    of_kind = stem.removesuffix(".back").removesuffix(".long")
    if of_kind not in rules.kinds and stem + DRAWN_SUFFIX not in named:
        hint = did_you_mean(of_kind, (*rules.kinds,))
        return f"the template '{name}' belongs to no kind{hint}", "rename it, or load it in another template"
    if name == f"{stem}.svg" and stem + DRAWN_SUFFIX in every:
        return f"the drawing '{name}' is not used, since '{stem}{DRAWN_SUFFIX}' has priority", "remove one of them"
    return None


def _template_files(project: Project, game: str) -> list[Path]:
    """Return the templates in the game's own folder and in that of the project, drawings included."""
    folders = [folder for folder in project.template_folders() if folder.path != built_in_folder("templates")]
    found = [path for folder in game_folders(folders, game) for path in sorted(folder.glob("*"))]
    return [path for path in found if path.name.endswith((DRAWN_SUFFIX, ".svg"))]
