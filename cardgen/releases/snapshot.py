"""Releases of the cards of a project as they are: the values, games, and looks that they store."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.art import find_art
from cardgen.deck.deck import card_files, load_deck, read_game_settings, require_game, rules_of, rulings_of
from cardgen.deck.release_file import LINKED, Release, ReleasedCard
from cardgen.deck.translated import texts_by_language
from cardgen.diagnostic import CardgenError
from cardgen.face.renderer import FaceRenderer
from cardgen.model.card import Entry
from cardgen.model.card_values import CardValue, Scalar, card_values, pointer
from cardgen.model.deck import Deck, Links, find_links, with_links
from cardgen.print.documents import is_printed
from cardgen.print.render import CardRenderer
from cardgen.project.files import template_text
from cardgen.project.project import Project
from cardgen.releases.changes import SETTINGS
from cardgen.rulesets.game_settings import plain_settings
from cardgen.rulesets.ruleset import GlossaryTerm, Ruleset
from cardgen.runtime import regular_file
from cardgen.runtime import workspace as workspaces
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, walk
from cardgen.source import KeyPath
from cardgen.validation.base import Aspect

RULINGS = "rulings"
# A word, or another character.
_WORD = re.compile(r"\w+|[^\w\s]")


def game_values(project: Project, game: str) -> dict[str, Scalar]:
    """Return the rules of a game that belong to the project, by JSON pointer: its game file, fields, and settings."""
    rules, workspace = require_game(game, project.workspace), read_game_settings(project)
    own = list(rules.rule_values()) if rules.rule_values else []
    if not _is_installed(game):
        own += _answers(project, rules)
    settings = plain_settings(rules.settings, workspace)
    return {pointer(path): value for path, value in (*own, *_flat(settings, (SETTINGS,)))}


def _is_installed(game: str) -> bool:
    """Return whether a game comes with the program or a package; its texts change with them, not with the project."""
    return game in workspaces.game_locations()


def _answers(project: Project, rules: Ruleset) -> Iterator[tuple[KeyPath, str]]:
    """Yield the answer in force to each question that the rules leave open."""
    settings, _ = rulings_of(project, rules)
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
    rules = rules_of(entry)
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


def is_listed_term(entry: Entry, each: CardValue) -> bool:
    """Return whether a value is a term of the glossary in a list, such as a keyword, though its type is text."""
    is_listed = each.aspect is Aspect.WORDS and isinstance(each.key_path[-1], int) and each.key_path[0] != "tags"
    return is_listed and each.value in _forms(rules_of(entry).terms).terms


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


def _reads_fields(source: str, entry: Entry) -> bool:
    """Return whether a template may read fields of the cards that a card names."""
    keys = {str(step) for link in find_links(entry.card) for step in link.key_path if isinstance(step, str)}
    return bool(re.search(_READS_FIELDS.format(names="|".join(map(re.escape, sorted(keys)))), source))


_MAX_PICTURE = 256 * 2**20
_MISSING = "missing"
# The functions with which templates read the cards that a card names.
_LINKED_FUNCTIONS = re.compile(r"\bnamed\b|\bmembers\s*\(")
# A field that names cards, where templates read the fields of these.
_READS_FIELDS = r"\b(?:{names})\b\s*[.\[]|{{%[-+]?\s*(?:for|set|with)\b[^%]*\b(?:{names})\b"
# What templates with coats of arms call.
_ARMS = "emblem("
# The tags that load other templates, and the names in them. Templates are not parsed, which would take longer than all
# the rest of a comparison.
_LOAD = re.compile(r"\{%[-+]?\s*(?:include|import|extends|from)\b(.*?)(?:%\}|\Z)", re.DOTALL)
_NAME = re.compile(r"\"([^\"]*)\"|'([^']*)'")
# Their files are compared as the pictures of the key that names them.
_PICTURE_KEYS = frozenset({"art/file", "back", "blazon", "theme", "size", "template"})


def digest_bytes(*parts: bytes) -> str:
    """Return a short digest of contents."""
    state = blake2b(digest_size=8)
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return state.hexdigest()


class LookFinder:
    """Finds what the look of each card of a project depends on; every file is read once."""

    def __init__(self, project: Project, renderer: CardRenderer) -> None:
        self._project, self._renderer = project, renderer
        self._picture_digest = cache(_picture_digest)
        self._template_digests: dict[tuple[str, ...], tuple[str, str]] = {}
        self._themes: dict[int, tuple[str, str]] = {}

    def parts(self, entry: Entry, values: Mapping[str, Scalar]) -> dict[str, str]:
        """Return a digest or plain value for each part of a card's look; `values` are those of its own keys."""
        renderer = self._renderer.face_renderer(entry)
        size = self._renderer.card_size(entry)
        back = self._back(renderer, entry)
        names = tuple(name for name, side in renderer.template_names(entry) if side == "front" or not back)
        templates, source = self._templates(renderer, names)
        theme, theme_text = self._theme(renderer)
        own = {key: value for key, value in values.items() if key not in _PICTURE_KEYS}
        parts = {
            "arms": self._arms(renderer, entry, source),
            "art": self._art(entry),
            "back": back,
            "fonts": self._fonts(source + theme_text),
            "icons": self._icons(entry, source + theme_text),
            LINKED: self._linked(entry, source),
            "settings": digest_bytes(json.dumps(sorted(own.items())).encode()) if own else "",
            "size": f"{size.width:g} x {size.height:g} mm",
            "template": templates,
            "theme": theme,
        }
        return {name: value for name, value in parts.items() if value}

    def _art(self, entry: Entry) -> str:
        art = entry.card.art
        if art is None:
            return ""
        try:
            return self._picture_digest(find_art(self._project, entry, art.file))
        except ValueError:
            return _MISSING

    def _arms(self, renderer: FaceRenderer, entry: Entry, source: str) -> str:
        """Return the charge that a card names, with the digest of its drawing if that is the project's own."""
        if _ARMS not in source and not entry.card.blazon:
            return ""
        named = entry.card.blazon or ""
        file = renderer.ornaments.charge_file(entry.card.id, named)
        is_own = file is not None and file.is_relative_to(self._project.root)
        return f"{named} {self._picture_digest(file)}".strip() if file and is_own else named

    def _back(self, renderer: FaceRenderer, entry: Entry) -> str:
        try:
            picture = renderer.back_source(entry).picture
        except CardgenError:
            return _MISSING
        return self._picture_digest(picture) if picture else ""

    def _theme(self, renderer: FaceRenderer) -> tuple[str, str]:
        key = id(renderer)
        if key not in self._themes:
            text = renderer.typesetter.theme.model_dump_json()
            self._themes[key] = (digest_bytes(json.dumps(json.loads(text), sort_keys=True).encode()), text)
        return self._themes[key]

    def _templates(self, renderer: FaceRenderer, names: tuple[str, ...]) -> tuple[str, str]:
        """Return the digest of templates with all that they load, and their text."""
        if names not in self._template_digests:
            sources = [(file, _text_of(renderer, file)) for file in sorted(_files_of(renderer, names))]
            contents = (part.encode("utf-8", "surrogatepass") for source in sources for part in source)
            self._template_digests[names] = (digest_bytes(*contents), "\n".join(text for _, text in sources))
        return self._template_digests[names]

    def _linked(self, entry: Entry, source: str) -> str:
        """Return a digest of the cards that a card names, if its templates or the text of its kind can print them."""
        if not entry.links:
            return ""
        printed = []
        if _LINKED_FUNCTIONS.search(source) or _reads_fields(source, entry):
            cards = sorted({(each.kind, each.card.id): each for each in entry.links.values()}.items())
            printed += [_values_text(linked) for _, linked in cards]
        rules, alone = rules_of(entry), with_links(entry, Links({}, lambda each: each))
        if (text := _printed_text(rules, entry)) != _printed_text(rules, alone):
            printed.append(text)
        return digest_bytes(*(each.encode() for each in printed)) if printed else ""

    def _icons(self, entry: Entry, source: str) -> str:
        """Return a digest of the project's own icons whose names occur in the card, its templates, or its theme."""
        if not self._own_icons:
            return ""
        text = source + _values_text(entry)
        used = {name: path for name, path in self._own_icons.items() if name in text}
        digests = (part.encode() for name, path in used.items() for part in (name, self._picture_digest(path)))
        return digest_bytes(*digests) if used else ""

    def _fonts(self, source: str) -> str:
        """Return a digest of the project's own fonts whose families occur in the templates or the theme of a card."""
        if not self._own_fonts:
            return ""
        text = "".join(source.split()).casefold()
        paths = {path for family, files in self._own_fonts.items() if family in text for path in files}
        return digest_bytes(*(self._picture_digest(path).encode() for path in sorted(paths))) if paths else ""

    @cached_property
    def _own_fonts(self) -> Mapping[str, Sequence[Path]]:
        """The files of the project's own fonts, by family in lower case without spaces."""
        folders, fonts = self._project.folders("fonts"), self._renderer.fonts
        if not any(any(folder.iterdir()) for folder in folders if folder.is_dir()):
            return {}
        families: dict[str, list[Path]] = {}
        for file in fonts.files.values():
            if any(file.path.is_relative_to(folder) for folder in folders):
                families.setdefault("".join(file.family.split()).casefold(), []).append(file.path)
        return families

    @cached_property
    def _own_icons(self) -> dict[str, Path]:
        folder = self._project.root / "icons"
        files = (Path(entry.path) for entry in walk(str(folder)) if not entry.is_symlink())
        return {path.stem: path for path in files if path.suffix.lower() in PICTURE_SUFFIXES}


def _values_text(entry: Entry) -> str:
    """Return the rules and words of a card as text."""
    values = card_values(entry, rules_of(entry).describe)
    read = ((list(each.key_path), each.value) for each in values if each.aspect is not Aspect.LOOKS)
    return json.dumps([entry.card.id, sorted(read, key=repr)])


def _files_of(renderer: FaceRenderer, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the files of templates and of all that they load; all files if a name is computed."""
    templates = renderer.templates
    seen: set[str] = set()
    pending: list[str | None] = [templates.file_of(name) for name in names]
    while pending:
        file = pending.pop()
        if not file:
            pending += [each for each in templates.files() if each not in seen]
        elif file not in seen:
            seen.add(file)
            yield file
            pending += _references(renderer, file)


def _references(renderer: FaceRenderer, file: str) -> list[str | None]:
    """Return the templates that one loads; None for a name that is computed."""
    references: list[str | None] = []
    for tag in _LOAD.findall(_text_of(renderer, file)):
        names = [one or other for one, other in _NAME.findall(tag)]
        references += [name if renderer.templates.loader.find(name) else None for name in names or [""]]
    return references


def _text_of(renderer: FaceRenderer, file: str) -> str:
    path = renderer.templates.loader.find(file)
    return "\n".join(template_text(path).splitlines()) if path else ""


def _picture_digest(path: Path) -> str:
    try:
        return digest_bytes(regular_file.read(path, _MAX_PICTURE))
    except OSError:
        return _MISSING


__all__ = ["Release", "ReleasedCard", "release_of", "take_snapshot"]


def take_snapshot(name: str, folder: Path | None = None) -> Release:
    """Return the release of the project as it is now.

    Raises CardgenError with all problems in its files.
    """
    project, deck = load_deck((), folder=folder, may_be_empty=True)
    return release_of(name, project, deck)


def release_of(name: str, project: Project, deck: Deck) -> Release:
    """Return the release of a deck. Drafts and kinds that are not printed do not belong to it."""
    looks = LookFinder(project, CardRenderer(project))
    sources = [entry.source or entry for entry in deck.cards]
    translations: dict[int, dict[str, Scalar]] = defaultdict(dict)
    for of in texts_by_language(project, sources, card_files(project) if project.settings.languages else ()):
        for text in of.texts:
            if text.translation:
                translations[id(text.entry)][f"{of.language}/{text.field}"] = text.translation.text
    printed = (entry for entry in sources if is_printed(entry))
    cards = sorted(
        (_released_card(entry, looks, translations[id(entry)]) for entry in printed),
        key=lambda card: (card.id, card.key),
    )
    games = sorted({card.game for card in cards})
    rulings = {game: changed for game in games if (changed := _changed_rulings(project, game))}
    own_rules = {game: values for game in games if (values := game_values(project, game))}
    return Release(name, rulings, tuple(cards), own_rules)


def _changed_rulings(project: Project, game: str) -> dict[str, str]:
    rules = require_game(game, project.workspace)
    settings, _ = rulings_of(project, rules)
    return {each.id: settings[each.id] for each in rules.rulings if settings[each.id] != each.default}


def _released_card(entry: Entry, looks: LookFinder, translations: Mapping[str, Scalar]) -> ReleasedCard:
    groups: dict[Aspect, dict[str, Scalar]] = {aspect: {} for aspect in Aspect}
    for each in card_values(entry, rules_of(entry).describe):
        groups[Aspect.RULES if is_listed_term(entry, each) else each.aspect][pointer(each.key_path)] = each.value
    rules, words, look = groups[Aspect.RULES], groups[Aspect.WORDS], groups[Aspect.LOOKS]
    card = entry.card
    return ReleasedCard(
        entry.game,
        entry.kind,
        card.id,
        card.name,
        card.qty,
        digest(sorted(rules.items())),
        digest(sorted(words.items())),
        looks.parts(entry, look),
        rules,
        {key: value for key, value in words.items() if key != "name"},
        terms_of(entry, (*rules.values(), *words.values())),
        dict.fromkeys(sorted(card.formerly), True),
        translations,
    )


def digest(content: object) -> str:
    """Return a short digest of plain data."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).hexdigest()
