"""Completions of keys, values, names of cards, terms, and icons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from cardgen.checking.context import FREE_TEXT_KEYS
from cardgen.diagnostic import CardgenError
from cardgen.editor.examples import examples
from cardgen.editor.incomplete import ICON, Incomplete, incomplete_at
from cardgen.editor.key_help import KeyHelp, accepts_text_items, key_help
from cardgen.editor.scalars import is_plain
from cardgen.editor.session import LoadedProject
from cardgen.editor.subject import TEXT_KEY, Subject, subject_at
from cardgen.editor.symbols import card_index
from cardgen.editor.text import plain_text
from cardgen.editor.used_values import used_values
from cardgen.grammar.continuation import continuations
from cardgen.model.card_file import CardHeader
from cardgen.model.references import Reference
from cardgen.pipeline.load.art import art_files
from cardgen.pipeline.load.deck import KINDS_BY_GAME, project_icons, require_game
from cardgen.pipeline.load.game_modules import load_reader
from cardgen.rulesets import ruleset
from cardgen.source import Data, KeyPath
from cardgen.units import CARD_SIZES, PAPER_SIZES
from cardgen.validation.base import Model, Prose
from cardgen.validation.model_keys import FreeKeys, accepted_keys, annotation_parts, canonical_keys, child_models

# More names are left to the next letters.
MOST_COMPLETIONS = 500


class CompletionKind(StrEnum):
    """What a completion stands for."""

    KEY = "key"
    CHOICE = "choice"
    CARD = "card"
    TERM = "term"
    ICON = "icon"
    FILE = "file"
    CLAUSE = "clause"
    EXAMPLE = "example"


class Completion(NamedTuple):
    """A completion: it replaces `replaced` characters before the position and is listed as `label`."""

    label: str
    text: str
    kind: CompletionKind
    detail: str = ""
    help: str = ""
    replaced: int = 0
    is_first: bool = False


def completions(loaded: LoadedProject, file: Path, text: str, offset: int) -> list[Completion]:
    """Return the completions at an offset of a file's text."""
    every = [each for part in incomplete_at(text, offset) for each in _completions(loaded, file, part)]
    unique = {(each.label, each.kind): each for each in reversed(every)}
    return list(reversed(unique.values()))[:MOST_COMPLETIONS]


def value_completions(loaded: LoadedProject, file: Path, data: Data, path: KeyPath, prefix: str) -> list[Completion]:
    """Return the completions of a value of a file's data that begins with `prefix`, written outside of the file."""
    icon = ICON.search(prefix)
    written = icon["part"] if icon else prefix
    part = Incomplete(data, path, False, written, in_text=bool(icon), before=prefix, is_block=True)
    return list(dict.fromkeys(_completions(loaded, file, part)))[:MOST_COMPLETIONS]


def _completions(loaded: LoadedProject, file: Path, part: Incomplete) -> Iterator[Completion]:
    subject = subject_at(loaded, file, part.data, part.path, is_map=part.is_key)
    found = _keys(part, subject) if part.is_key else _values(loaded, file, part, subject)
    folded = part.prefix.casefold()
    for each in found:
        if each.kind is CompletionKind.CLAUSE:
            yield each
        elif (
            each.kind is CompletionKind.TERM
            or each.label.casefold().startswith(folded)
            or folded in each.label.casefold()
        ):
            yield each._replace(replaced=each.replaced or len(part.prefix))


def _keys(part: Incomplete, subject: Subject) -> Iterator[Completion]:
    inner = subject.path and child_models(subject.models, subject.key)
    models = tuple(
        model for model in (inner or (() if subject.path else subject.models)) if not issubclass(model, FreeKeys)
    )
    used = set(part.siblings)
    own = used - set(canonical_keys((CardHeader,)))
    fitting = tuple(model for model in models if own <= set(accepted_keys((model,)))) or models
    fitting += tuple(model for model in models if model is CardHeader and model not in fitting)
    for model in fitting:
        for name in canonical_keys((model,)):
            info = key_help(model, name)
            if info and not used & {info.name, *info.synonyms}:
                yield Completion(
                    info.name,
                    f"{info.name}: ",
                    CompletionKind.KEY,
                    info.values,
                    info.description,
                    is_first=info.required,
                )


def _values(loaded: LoadedProject, file: Path, part: Incomplete, subject: Subject) -> Iterator[Completion]:
    if part.in_text:
        yield from _words(loaded, part, subject)
        return
    yield from _special(loaded, file, subject)
    if part.path and isinstance(part.path[-1], int):
        yield from _examples(loaded, subject)
    for model in subject.owners():
        info = key_help(model, subject.key)
        kinds = _referenced_kinds(model, subject.key) or _kinds_of_items(model, part, subject)
        if info and not kinds:
            yield from _choices(info)
            yield from _used(loaded, model, part, subject)
        for name, card, kind in card_index(loaded, subject.game, kinds, part.prefix):
            yield Completion(name, _quoted(name, part.quote), CompletionKind.CARD, kind, card)
            if card != name:
                yield Completion(card, card, CompletionKind.CARD, kind, name)
    if _is_prose(subject):
        yield from _words(loaded, part, subject)


def _kinds_of_items(model: type[Model], part: Incomplete, subject: Subject) -> tuple[str, ...]:
    """Return the kinds of the cards that an item of a list names if it is written as a text and not as a map."""
    if not (part.path and isinstance(part.path[-1], int) and accepts_text_items(model, subject.key)):
        return ()
    items = child_models((model,), subject.key)
    return tuple(kind for item in items for key in canonical_keys((item,)) for kind in _referenced_kinds(item, key))


def _used(loaded: LoadedProject, model: type[Model], part: Incomplete, subject: Subject) -> Iterator[Completion]:
    """Yield the values of the same key on other cards."""
    if len([step for step in subject.path if isinstance(step, str)]) == 1:
        for text in used_values(loaded, model, subject.key):
            yield Completion(text, _quoted(text, part.quote), CompletionKind.CHOICE, subject.key)


def _examples(loaded: LoadedProject, subject: Subject) -> Iterator[Completion]:
    """Yield items of a list that say what sentences say."""
    if not subject.game or load_reader(require_game(subject.game)) is None:
        return
    for sentence, item in examples(loaded, subject.game, subject.kind, subject.key).items():
        label = plain_text(sentence)
        yield Completion(label, item, CompletionKind.EXAMPLE, subject.key, item)


def _choices(info: KeyHelp) -> Iterator[Completion]:
    for choice in info.choices:
        yield Completion(choice, choice, CompletionKind.CHOICE, info.name, info.description)


def _referenced_kinds(model: type[Model], key: str) -> tuple[str, ...]:
    """Return the kinds of the cards that a key names."""
    for attribute, field in model.model_fields.items():
        if key in (attribute, field.alias, *model.SYNONYMS.get(field.alias or attribute, ())):
            parts = (*field.metadata, *annotation_parts(field.annotation))
            return tuple(
                kind for part in parts if isinstance(part, Reference) for kind in (part.kind, *part.other_kinds)
            )
    return ()


def _is_prose(subject: Subject) -> bool:
    if subject.key in FREE_TEXT_KEYS:
        return True
    fields = (model.model_fields.get(subject.key) for model in subject.owners())
    return any(
        isinstance(part, Prose)
        for field in fields
        if field
        for part in (*field.metadata, *annotation_parts(field.annotation))
    )


def _words(loaded: LoadedProject, part: Incomplete, subject: Subject) -> Iterator[Completion]:
    """Yield the terms and icons that a text can contain."""
    if not subject.game:
        return
    if "{" not in part.prefix:
        yield from _clauses(part, subject)
        last = part.prefix.rpartition(" ")[2]
        for term in require_game(subject.game).terms:
            if last and term.name.casefold().startswith(last.casefold()):
                yield Completion(term.name, term.name, CompletionKind.TERM, "term", term.definition, len(last))
    if part.in_text:
        for name in project_icons(loaded.project, subject.game).names():
            if name.startswith(part.prefix):
                yield Completion(name, f"{name}}}", CompletionKind.ICON, "icon", "", len(part.prefix))


def _clauses(part: Incomplete, subject: Subject) -> Iterator[Completion]:
    """Yield the next words of a sentence that the game reads."""
    reader = load_reader(require_game(subject.game)) if subject.game and subject.key == TEXT_KEY else None
    grammars = [reader.grammar(model) for model in subject.owners()] if reader else []
    word = re.search(r"\S*$", part.before)
    prefix = word[0] if word else ""
    before = part.before[: len(part.before) - len(prefix)]
    for grammar in dict.fromkeys(each for each in grammars if each):
        for words in (each.text for each in continuations(grammar, before, prefix)):
            if part.quote or part.is_block or is_plain(f"{before}{words}"):
                yield Completion(words, words, CompletionKind.CLAUSE, "clause", "", len(prefix))


def _special(loaded: LoadedProject, file: Path, subject: Subject) -> Iterator[Completion]:
    """Yield the values of keys that have one meaning in all games."""
    names: dict[str, Iterable[str]] = {
        "game": ruleset.games(),
        "kind": KINDS_BY_GAME.get(subject.game, {}),
        "size": CARD_SIZES,
        "paper": PAPER_SIZES,
        "tags": sorted({tag for entry in loaded.deck.cards for tag in entry.card.tags}),
    }
    keys = tuple(step for step in subject.path if isinstance(step, str))
    if keys in (("art",), ("back",), ("art", "file")):
        yield from _pictures(loaded, file)
    if len(keys) > 1:
        return
    for name in names.get(subject.key, ()):
        yield Completion(name, _quoted(name, ""), CompletionKind.CHOICE, subject.key)


def _pictures(loaded: LoadedProject, file: Path) -> Iterator[Completion]:
    try:
        pictures = art_files(loaded.project).values()
    except (CardgenError, OSError):
        return
    for path in pictures:
        base = file.parent if path.is_relative_to(file.parent) else loaded.project.root
        name = path.relative_to(base).as_posix()
        yield Completion(name, _quoted(name, ""), CompletionKind.FILE, "picture")


def _quoted(text: str, quote: str) -> str:
    return text if quote or is_plain(text) else f'"{text}"'
