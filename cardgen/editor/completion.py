"""Completions of keys, values, names of cards, terms, and icons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cardgen.checking.check import FREE_TEXT_KEYS
from cardgen.deck.art import art_files
from cardgen.deck.deck import built_in_cards, load_reader, project_icons, require_game
from cardgen.deck.explanation import explanations, flow_style
from cardgen.deck.translated import State
from cardgen.diagnostic import CardgenError
from cardgen.editor.references import card_index
from cardgen.editor.session import LoadedProject
from cardgen.editor.subject import TEXT_KEY, Subject, accepts_text_items, key_help, subject_at
from cardgen.editor.text import is_plain, plain_text
from cardgen.editor.translations import TranslationCursor, translation_at
from cardgen.grammar.continuation import continuations
from cardgen.model.card import CardHeader, Entry
from cardgen.model.deck import Reference
from cardgen.model.translation import SOURCE
from cardgen.project.files import LAYOUT_SUFFIX
from cardgen.source import Data, KeyPath, parse_document
from cardgen.units import CARD_SIZES, PAPER_SIZES
from cardgen.validation.base import (
    FreeKeys,
    Model,
    Prose,
    accepted_keys,
    annotation_parts,
    canonical_keys,
    child_models,
)

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
    if translated := translation_at(loaded, file, part.path):
        found = _in_translations(loaded, part, translated)
    else:
        subject = subject_at(loaded, file, part.data, part.path, is_map=part.is_key)
        found = _keys(loaded, part, subject) if part.is_key else _values(loaded, file, part, subject)
    folded = part.prefix.casefold()
    for each in found:
        if each.kind is CompletionKind.CLAUSE:
            yield each
        elif each.kind is CompletionKind.TERM or folded in each.label.casefold():
            yield each._replace(replaced=each.replaced or len(part.prefix))


def _in_translations(loaded: LoadedProject, part: Incomplete, at: TranslationCursor) -> Iterator[Completion]:
    """Yield what a file of translations can have: ids of cards, and texts of a card, those that are missing first."""
    if part.is_key and len(part.path) == 1:
        for card in at.cards:
            if card.card.id not in part.siblings:
                yield Completion(card.card.id, f"{card.card.id}: ", CompletionKind.CARD, card.kind, card.card.name)
    elif part.is_key:
        for text in (each for each in at.texts if each.field not in part.siblings):
            place, is_first = (text.field, f"{text.field}: "), text.state is State.MISSING
            yield Completion(*place, CompletionKind.KEY, text.state, text.source, is_first=is_first)
        if not at.is_source and SOURCE not in part.siblings:
            yield Completion(SOURCE, f"{SOURCE}:", CompletionKind.KEY, "the texts that were translated")
    elif at.is_source and at.text:
        source = at.text.source
        yield Completion(source, _quoted(source, part.quote), CompletionKind.CHOICE, at.field)
    elif part.in_text and at.card:
        yield from _icons(loaded, at.card.game, part.prefix)


def _keys(loaded: LoadedProject, part: Incomplete, subject: Subject) -> Iterator[Completion]:
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
            info = key_help(loaded, model, name)
            if info and not used & {info.name, *info.synonyms}:
                place, texts = (info.name, f"{info.name}: "), (info.values, info.description)
                yield Completion(*place, CompletionKind.KEY, *texts, is_first=info.required)


def _values(loaded: LoadedProject, file: Path, part: Incomplete, subject: Subject) -> Iterator[Completion]:
    if part.in_text:
        yield from _words(loaded, part, subject)
        return
    if not file.name.endswith(LAYOUT_SUFFIX):
        yield from _special(loaded, file, subject)
    if part.path and isinstance(part.path[-1], int):
        yield from _examples(loaded, subject)
    for model in subject.owners():
        info = key_help(loaded, model, subject.key)
        kinds = _referenced_kinds(model, subject.key) or _kinds_of_items(loaded, model, part, subject)
        if info and not kinds:
            for choice in info.choices:
                yield Completion(choice, choice, CompletionKind.CHOICE, info.name, info.description)
            # The values of the same key on other cards.
            if len([step for step in subject.path if isinstance(step, str)]) == 1:
                for text in used_values(loaded, model, subject.key):
                    yield Completion(text, _quoted(text, part.quote), CompletionKind.CHOICE, subject.key)
        for name, card, kind in card_index(loaded, subject.game, kinds, part.prefix):
            yield Completion(name, _quoted(name, part.quote), CompletionKind.CARD, kind, card)
            if card != name:
                yield Completion(card, card, CompletionKind.CARD, kind, name)
    if subject.key in FREE_TEXT_KEYS or any(_is_prose_attribute(each, subject.key) for each in subject.owners()):
        yield from _words(loaded, part, subject)


def _kinds_of_items(loaded: LoadedProject, model: type[Model], part: Incomplete, subject: Subject) -> tuple[str, ...]:
    """Return the kinds of the cards that an item of a list names if it is written as a text and not as a map."""
    if not (part.path and isinstance(part.path[-1], int) and accepts_text_items(loaded, model, subject.key)):
        return ()
    items = child_models((model,), subject.key)
    return tuple(kind for item in items for key in canonical_keys((item,)) for kind in _referenced_kinds(item, key))


def _examples(loaded: LoadedProject, subject: Subject) -> Iterator[Completion]:
    """Yield items of a list that say what sentences say."""
    if not subject.game or load_reader(require_game(subject.game, loaded.project.workspace)) is None:
        return
    for sentence, item in examples(loaded, subject.game, subject.kind, subject.key).items():
        label = plain_text(sentence)
        yield Completion(label, item, CompletionKind.EXAMPLE, subject.key, item)


def _referenced_kinds(model: type[Model], key: str) -> tuple[str, ...]:
    """Return the kinds of the cards that a key names."""
    for attribute, field in model.model_fields.items():
        if key in (attribute, field.alias, *model.SYNONYMS.get(field.alias or attribute, ())):
            parts = (*field.metadata, *annotation_parts(field.annotation))
            return tuple(
                kind for part in parts if isinstance(part, Reference) for kind in (part.kind, *part.other_kinds)
            )
    return ()


def _words(loaded: LoadedProject, part: Incomplete, subject: Subject) -> Iterator[Completion]:
    """Yield the terms and icons that a text can contain."""
    if not subject.game:
        return
    if "{" not in part.prefix:
        yield from _clauses(loaded, part, subject)
        last = part.prefix.rpartition(" ")[2]
        for term in require_game(subject.game, loaded.project.workspace).terms:
            if last and term.name.casefold().startswith(last.casefold()):
                yield Completion(term.name, term.name, CompletionKind.TERM, "term", term.definition, len(last))
    if part.in_text:
        yield from _icons(loaded, subject.game, part.prefix)


def _icons(loaded: LoadedProject, game: str, prefix: str) -> Iterator[Completion]:
    for name in project_icons(loaded.project, game).names():
        if name.startswith(prefix):
            yield Completion(name, f"{name}}}", CompletionKind.ICON, "icon", "", len(prefix))


def _clauses(loaded: LoadedProject, part: Incomplete, subject: Subject) -> Iterator[Completion]:
    """Yield the next words of a sentence that the game reads."""
    is_sentence, workspace = subject.game and subject.key == TEXT_KEY, loaded.project.workspace
    reader = load_reader(require_game(subject.game, workspace)) if is_sentence else None
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
        "game": loaded.project.workspace.game_ids,
        "kind": loaded.kinds.get(subject.game, {}),
        "size": CARD_SIZES,
        "paper": PAPER_SIZES,
        "tags": sorted({tag for entry in loaded.deck.cards for tag in entry.card.tags}),
    }
    keys = tuple(step for step in subject.path if isinstance(step, str))
    if keys in (("art",), ("back",), ("art", "file")):
        yield from _pictures(loaded, file)
    if len(keys) > 1:
        return
    if subject.key == "blazon":
        names["blazon"] = project_icons(loaded.project, subject.game).charges.names()
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


_MOST_CHARACTERS = 40
# Values of these are a card's own.
_OWN = frozenset(
    {*canonical_keys((CardHeader,)), "name", "id", "art", "back", "blazon", "credit", "note", "motto", "text"}
)


def used_values(loaded: LoadedProject, model: type[Model], key: str) -> list[str]:
    """Return the texts that cards of a model have for a key, the commonest first."""
    attribute = next((name for name, field in model.model_fields.items() if key in (name, field.alias)), "")
    if not attribute or key in _OWN or _is_prose_attribute(model, attribute):
        return []
    texts = (text for card in _cards(loaded, model) for text in _texts(getattr(card, attribute)))
    return [text for text, _ in sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))]


def _cards(loaded: LoadedProject, model: type[Model]) -> Iterator[Model]:
    games = {entry.game for entry in loaded.deck.cards} | {loaded.game}
    entries = (*loaded.deck.cards, *(entry for game in games for entry in built_in_cards(loaded.project, game)))
    return (entry.card for entry in entries if type(entry.card) is model)


def _is_prose_attribute(model: type[Model], attribute: str) -> bool:
    field = model.model_fields.get(attribute)
    parts = (*field.metadata, *annotation_parts(field.annotation)) if field else ()
    return any(isinstance(part, Prose) for part in parts)


def _texts(value: object) -> Iterator[str]:
    for each in value if isinstance(value, tuple | list) else (value,):
        if type(each) is str and 0 < len(each) <= _MOST_CHARACTERS and "\n" not in each:
            yield each


# Texts of more cards would take too long to read while an author waits.
_MOST_TEXTS = 80
# The examples of the built-in cards by game, kind, and key; they stay the same while the program runs.
_BUILT_IN: dict[tuple[str, str, str], dict[str, str]] = {}


def examples(loaded: LoadedProject, game: str, kind: str, key: str) -> dict[str, str]:
    """Return items of the list with a key, in flow style, by the sentence that says the same.

    They come from the cards of the project and of the game, those of the same kind first.
    """
    place = game, kind, key
    if place not in _BUILT_IN:
        _BUILT_IN[place] = _items_by_sentence(built_in_cards(loaded.project, game), kind, key)
    own = _items_by_sentence([entry for entry in loaded.deck.cards if entry.game == game], kind, key)
    return {**_BUILT_IN[place], **own}


def _items_by_sentence(entries: Iterable[Entry], kind: str, key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    texts = (text for each in sorted(entries, key=lambda entry: entry.kind != kind) for text in explanations([each]))
    for text in islice(texts, _MOST_TEXTS):
        values = text.reader.values(text.part, text.sentences) or {}
        items = values.get(key)
        if isinstance(items, list) and len(values) == len(items) == len(text.sentences) == 1:
            found.setdefault(text.sentences[0].canonical or text.text, flow_style(items[0]))
    return found


# Stands for what is being written; no author writes it.
_MARK = "cardgen-cursor"
_QUOTED = r"""\"[^\"]*\"|'[^']*'"""
_VALUE = re.compile(
    rf"""\s*+(?:- ++)*+(?P<key>{_QUOTED}|[^\s"'#{{}}\[\],:&*!|>%@][^:#]*?):\s+(?P<value>.*)$""", re.DOTALL
)
_BRACKETS = re.compile(rf"{_QUOTED}|[{{}}\[\],]")
_WORD = re.compile(r"[^\s{}\[\],:#\"']*$")
# The name of an icon that is being written in a text.
ICON = re.compile(r"(?<!\\)\{(?P<part>[A-Za-z0-9_-]*)$")
_END_OF_WORD = re.compile(r"[^\s,:}\]]*")


class Incomplete(NamedTuple):
    """What is being written: `prefix` is its text so far, and `data` is the file with the rest of it.

    `path` leads to the map that a key is added to, or to the value. `siblings` are the other keys of that map. `before`
    is the value up to the position, and `is_block` is true if it goes over several lines.
    """

    data: Data
    path: KeyPath
    is_key: bool
    prefix: str
    siblings: tuple[str, ...] = ()
    quote: str = ""
    in_text: bool = False
    before: str = ""
    is_block: bool = False


def incomplete_at(text: str, offset: int) -> list[Incomplete]:
    """Return what the author may be writing at an offset: a value, a key, or both."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    if re.search(r"(^|\s)#", line) and not re.search(r"[\"'][^\"']*#[^\"']*$", line):  # a comment
        return []
    part, flow = _innermost(line)
    value = _VALUE.match(part)
    icon = ICON.search(line)
    candidates: list[Incomplete] = []
    if value:
        candidates += _value(text, offset, value["value"], flow=flow)
    else:
        word = _WORD.search(line)
        prefix = word[0] if word else ""
        candidates += _key(text, offset, prefix)
        candidates += _item(text, offset, prefix)
        if not candidates:
            candidates += _continued_text(text, offset, line)
    if icon and value:
        candidates = [each._replace(prefix=icon["part"], in_text=True) for each in candidates] or candidates
    return candidates


def _innermost(line: str) -> tuple[str, bool]:
    """Return the part of a line in its innermost open brackets since the last comma, and whether it has brackets."""
    starts: list[int] = []
    for match in _BRACKETS.finditer(line):
        if match[0] in ("{", "["):
            starts.append(match.end())
        elif match[0] == "," and starts:
            starts[-1] = match.end()
        elif match[0] in ("}", "]") and starts:
            starts.pop()
    return (line[starts[-1] :], True) if starts and not ICON.search(line) else (line, False)


def _value(text: str, offset: int, written: str, *, flow: bool) -> Iterator[Incomplete]:
    quote = written[:1] if written[:1] in "\"'" else ""
    begin = offset - len(written)
    end = _end_of_value(text, offset, flow=flow)
    found = _parse(text[:begin] + _MARK, text[end:])
    if found:
        prefix = written[len(quote) :]
        yield Incomplete(*found, False, prefix, quote=quote, in_text=" " in prefix, before=prefix)


def _end_of_value(text: str, offset: int, *, flow: bool) -> int:
    line_end = text.find("\n", offset)
    end = len(text) if line_end < 0 else line_end
    closing = re.search(r"[,}\]]", text[offset:end]) if flow else None
    return offset + closing.start() if closing else end


def _key(text: str, offset: int, prefix: str) -> Iterator[Incomplete]:
    begin = offset - len(prefix)
    after = _END_OF_WORD.match(text, offset)
    end = after.end() if after else offset
    has_colon = text[end : end + 1] == ":"
    found = _parse(text[:begin] + (_MARK if has_colon else f"{_MARK}: 0"), text[end:], as_key=True)
    if found:
        data, path = found
        owner = _at(data, path)
        siblings = tuple(key for key in owner if key != _MARK) if isinstance(owner, dict) else ()
        yield Incomplete(data, path, True, prefix, siblings)


def _item(text: str, offset: int, prefix: str) -> Iterator[Incomplete]:
    """Yield the scalar that is written as an item of a list."""
    begin = offset - len(prefix)
    before = text[text.rfind("\n", 0, begin) + 1 : begin]
    if not re.search(r"(^\s*-\s+|\[\s*|,\s*)$", before):
        return
    found = _parse(text[:begin] + _MARK, text[_end_of_value(text, offset, flow=True) :])
    if found and isinstance(found[1][-1:][0] if found[1] else None, int):
        yield Incomplete(*found, False, prefix)


def _continued_text(text: str, offset: int, line: str) -> Iterator[Incomplete]:
    """Yield the text of several lines that is being written."""
    word = re.search(r"[^\s{}]*$", line)
    prefix = word[0] if word else ""
    begin = offset - len(prefix)
    found = _parse(f"{text[:begin]}{_MARK}", text[offset:], within=True)
    if found:
        before = str(_at(*found)).partition(_MARK)[0] + prefix
        yield Incomplete(*found, False, prefix, in_text=True, before=before, is_block=True)


def _parse(before: str, after: str, *, as_key: bool = False, within: bool = False) -> tuple[Data, KeyPath] | None:
    """Return the data and the path of the mark: in the whole text, or else in the part before it."""
    rest = after.partition("\n")[2]
    # The brackets that are open on the last line.
    line = before[before.rfind("\n") + 1 :]
    stack: list[str] = []
    for character in line:
        if character in "{[":
            stack.append("}" if character == "{" else "]")
        elif character in "}]" and stack:
            stack.pop()
    for text in (before + after, f"{before}\n{rest}", before + "".join(reversed(stack))):
        document = parse_document(text, "")
        path = next(_find(document.data, (), as_key=as_key, within=within), None)
        if path is not None:
            return document.data, path
    return None


def _find(data: Data, path: KeyPath, *, as_key: bool, within: bool) -> Iterator[KeyPath]:
    if isinstance(data, dict):
        if as_key and _MARK in data:
            yield path
        for key, value in data.items():
            yield from _find(value, (*path, key), as_key=as_key, within=within)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from _find(item, (*path, index), as_key=as_key, within=within)
    elif not as_key and isinstance(data, str) and (data == _MARK or (within and _MARK in data)):
        yield path


def _at(data: Data, path: KeyPath) -> object:
    place: object = data
    for step in path:
        place = place[step]  # type: ignore[index]
    return place
