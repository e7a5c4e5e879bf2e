"""Help and completions for the expressions of templates: names, fields of the card, and filters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.deck.deck import project_icons, require_game
from cardgen.diagnostic import CardgenError
from cardgen.editor.completion import Completion, CompletionKind, completions, incomplete_at
from cardgen.editor.hover import Hover, escape
from cardgen.editor.session import LoadedProject
from cardgen.editor.subject import key_help, subject_at
from cardgen.editor.text import span_between
from cardgen.face.template.expressions import (
    NUMBER,
    UNKNOWN,
    KeysType,
    LinkType,
    ListType,
    MapType,
    ModelType,
    ScalarType,
    ValueType,
    field_type,
)
from cardgen.face.template.wording import visible_fields
from cardgen.face.theme import Theme, load_theme
from cardgen.model.card import Art
from cardgen.project.files import LAYOUT_SUFFIX, TEMPLATE_SUFFIX
from cardgen.validation.base import Model

NAMES: Mapping[str, str] = {
    "card": "The card, with the keys of its file.",
    "kind": "The kind of the card.",
    "game": "The id of the game.",
    "side": "`front` or `back`.",
    "width": "The width of the card without its bleed, in mm.",
    "height": "The height of the card without its bleed, in mm.",
    "bleed": "The bleed around the card, in mm.",
    "theme": "The theme: `theme.colours.ink`, `theme.ornaments`.",
    "rulings": "The rulings of the project by id, such as `rulings.rounds`; others have their default.",
    "describe": "`describe(thing)` is the text of a card or a part of one: its own, or one made from its effects.",
    "once_label": "`once_label(thing)` says how often a thing can be used, or nothing.",
    "abbreviation": "`abbreviation(name)` is a letter of the game in the language of the card, such as `type CW`.",
    "meaning": '`meaning(term)` is the definition of a term in the glossary, such as `meaning("Cover")`.',
    "named": "`named(kind, name)` is a card that this card refers to; `card.friend.heat` says the same in short.",
    "emblem": "`emblem(id, x, y, width, card.blazon)` draws a coat of arms with its top left corner at x, y.",
    "mix": "`mix(colour, colour, share)` blends two colors; a share of 0 is the first, 1 the second.",
    "charge": "`charge(name, x, y, size, colour)` draws a charge without a shield, centered at x, y.",
    "text_height": "`text_height(text, width, style, size)` is the height in mm of a text in a style and size.",
    "icon": "`icon(name, x, y, size, colour)` draws an icon centered at x, y.",
}


def is_template(path: Path) -> bool:
    """Return whether a file is a template, by its name."""
    return path.name.endswith(TEMPLATE_SUFFIX)


def completions_in(path: Path) -> Callable[[LoadedProject, Path, str, int], Iterable[Completion]]:
    """Return the function that completes a file of this name."""
    if is_template(path):
        return template_completions
    return layout_completions if path.name.endswith(LAYOUT_SUFFIX) else completions


def template_hover(loaded: LoadedProject, file: Path, text: str, offset: int) -> Hover | None:
    """Return the help for a word of a template, or None."""
    expression = expression_at(text, offset, _card_type(loaded, file))
    if expression is None or not expression.name:
        return None
    help_text = _help(loaded, file, expression)
    title = ".".join((*expression.owners, expression.name))
    return Hover(f"**{escape(title)}**{help_text}", span_between(text, *expression.span)) if help_text else None


def template_completions(loaded: LoadedProject, file: Path, text: str, offset: int) -> Iterator[Completion]:
    """Yield what can stand at a place of a template."""
    expression = expression_at(text[:offset], offset, _card_type(loaded, file))
    if expression is None:
        return
    if expression.owners:
        names = _fields(loaded, expression.owner)
    else:
        local = dict.fromkeys(expression.local, "A name that this template sets.")
        names = {**NAMES, **_functions(loaded, file), **local}
    if expression.is_filter:
        names = {name: _first_sentence(function) for name, function in _filters(loaded).items()}
    for name, help_text in names.items():
        if name.startswith(expression.name):
            yield Completion(name, name, CompletionKind.KEY, "", help_text, len(expression.name))


def layout_completions(loaded: LoadedProject, file: Path, text: str, offset: int) -> Iterator[Completion]:
    """Yield what can stand at a place of a layout."""
    yield from completions(loaded, file, text, offset)
    for part in incomplete_at(text, offset):
        key = subject_at(loaded, file, part.data, part.path).key
        for name, help_text in () if part.is_key or part.in_text else layout_names(loaded, file, key):
            if part.prefix.casefold() in name.casefold():
                yield Completion(name, name, CompletionKind.CHOICE, key, help_text, len(part.prefix))


def layout_names(loaded: LoadedProject, file: Path, key: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the value of a key of a layout can be, with their help."""
    game = _game_of(loaded, file)
    if key in ("field", "each", "when", "unless", "count"):
        card = _card_type(loaded, file)
        for name, help_text in _fields(loaded, card).items():
            part = part_type(card, name)
            is_art = isinstance(part, ModelType) and Art in part.models
            inside = _fields(loaded, part) if key != "count" or not is_art else {}
            types = {name: part, **{f"{name}.{each}": part_type(part, each) for each in inside}}
            about = {name: help_text, **{f"{name}.{each}": text for each, text in inside.items()}}
            yield from ((path, about[path]) for path, kind in types.items() if key != "count" or kind == NUMBER)
        return
    names: Iterable[str] = ()
    project = loaded.project
    if key in ("style", "fill", "stroke", "background"):
        theme = _theme(loaded, file)
        names = (theme.styles if key == "style" else theme.colours) if theme else ()
    elif key == "icons":
        names = project_icons(project, game).names()
    elif key == "frame":
        names = sorted(path.name for path in file.parent.glob("*.svg"))
    yield from ((name, "") for name in names)


def theme_colours(loaded: LoadedProject, file: Path) -> tuple[tuple[str, str], ...]:
    """Return the names of the colors of a template's theme, with their digits."""
    theme = _theme(loaded, file)
    return tuple(theme.colours.items()) if theme else ()


def _theme(loaded: LoadedProject, file: Path) -> Theme | None:
    game, project = _game_of(loaded, file), loaded.project
    base = require_game(game, project.workspace).base_theme
    with suppress(CardgenError):  # a theme that cannot be read, which is reported elsewhere
        return load_theme(project.template_folders(), game, project.settings.theme, base)
    return None


def _card_type(loaded: LoadedProject, file: Path) -> ValueType:
    """Return the type of the cards that a template prints."""
    kinds = loaded.kinds.get(_game_of(loaded, file), {})
    kind = kinds.get(file.name.partition(".")[0])
    models = (kind,) if kind else tuple(kinds.values())
    return ModelType(models, kinds.get)


def _game_of(loaded: LoadedProject, file: Path) -> str:
    """Return the game of a template: that of its folder, in `templates` or in `games`."""
    folder = file.parent
    name = folder.parent.name if folder.name == "templates" else folder.name
    return name if name in loaded.kinds else loaded.game


def _help(loaded: LoadedProject, file: Path, expression: TemplateExpression) -> str:
    if expression.is_filter:
        function = _filters(loaded).get(expression.name)
        return f" · filter\n\n{escape(_first_sentence(function))}" if function else ""
    if expression.owners:
        if expression.name not in _fields(loaded, expression.owner):
            return ""
        text = _field_help(loaded, expression.owner, expression.name)
        return f" · {_type_name(expression.kind)}\n\n{escape(text)}".rstrip()
    text = _functions(loaded, file).get(expression.name) or NAMES.get(expression.name, "")
    if expression.name in expression.local:
        text = "A name that this template sets."
    kind = _type_name(expression.kind) if expression.kind != ValueType() else ""
    return f"{' · ' if kind else ''}{kind}\n\n{text}" if text else ""


def _functions(loaded: LoadedProject, file: Path) -> dict[str, str]:
    """Return the functions that the game adds to its templates."""
    rules = require_game(_game_of(loaded, file), loaded.project.workspace)
    return {name: _first_sentence(function) for name, function in rules.template_functions.items()}


def _fields(loaded: LoadedProject, owner: ValueType) -> dict[str, str]:
    owner = owner.card if isinstance(owner, LinkType) else owner
    models = owner.models if isinstance(owner, ModelType) else ()
    return {name: _field_help(loaded, owner, name) for model in models for name in visible_fields(model)}


def _field_help(loaded: LoadedProject, owner: ValueType, name: str) -> str:
    owner = owner.card if isinstance(owner, LinkType) else owner
    for model in owner.models if isinstance(owner, ModelType) else ():
        field = model.model_fields.get(name)
        info = key_help(loaded, model, field.alias or name) if field and issubclass(model, Model) else None
        if info:
            return info.description
        if name in visible_fields(model) and field is None:
            return _first_sentence(getattr(model, name).fget)
    return ""


def _filters(loaded: LoadedProject) -> Mapping[str, Callable[..., Any]]:
    from cardgen.face.template.engine import Templates  # loaded here because few projects have templates

    filters: Mapping[str, Callable[..., Any]] = Templates(loaded.project.template_folders()).sandbox.filters
    return filters


def _first_sentence(function: object) -> str:
    """Return the first sentence of a function's documentation."""
    text = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    match = re.match(r".*?[.:](?=\s|$)", text.replace("``", "`"))
    return re.sub(r":\w+:", "", match[0] if match else text).rstrip(":")


def _type_name(kind: ValueType) -> str:
    match kind:
        case LinkType():
            return "the name of a card, which leads to its fields"
        case ScalarType(name=name):
            return name
        case ListType():
            return "a list; loop over it"
        case ModelType():
            return "a part with fields"
    return "a value"


_PATH = r"[A-Za-z_]\w*(?:\[[^\[\]\n]{0,40}\])?(?:\.[A-Za-z_]\w*(?:\[[^\[\]\n]{0,40}\])?)*"
_OWNERS = re.compile(rf"(?P<owners>{_PATH})\.$")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"[A-Za-z_]\w*$"), re.compile(r"\w*")
_FILTER = re.compile(r"\|\s*$")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_EXPRESSION = re.compile(rf"\s*(?P<path>{_PATH})\s*(?P<filters>(?:\|\s*(?:sort|list|reverse|unique)\b[^|]*)*)$")
_LOOP = re.compile(r"\{%[-+]?\s*+for\s++(?P<names>[\w\s,]{1,80}?)(?<!\s)\s++in\s++(?P<items>[^%]{1,200}?)\s*[-+]?%\}")
_SET = re.compile(r"\{%[-+]?\s*+set\s++(?P<name>\w++)\s*+=\s*+(?P<value>[^%]{1,200}?)\s*[-+]?%\}")
# Names that are set from names are followed to this depth.
_MAX_DEPTH = 8
# Characters of an expression up to the position; nobody writes a longer one by hand.
_LONGEST = 2_000


class TemplateExpression(NamedTuple):
    """A word of a template: `name`, in `owners`, whose type is `owner`; `kind` is its own type.

    `local` are the names that the template sets before it.
    """

    owners: tuple[str, ...]
    name: str
    span: tuple[int, int]
    owner: ValueType
    kind: ValueType
    local: frozenset[str]
    is_filter: bool = False


def expression_at(text: str, offset: int, card: ValueType) -> TemplateExpression | None:
    """Return the word at an offset, or None outside of expressions and in quotes; `card` is the type of the card."""
    begin = max(text.rfind("{{", 0, offset), text.rfind("{%", 0, offset))
    if (
        not 0 <= offset - begin <= _LONGEST
        or begin < 0
        or text.find("}}", begin, offset) >= 0
        or text.find("%}", begin, offset) >= 0
    ):
        return None
    if re.search(r"[\"']", _QUOTED.sub("", text[begin:offset])):
        return None
    before = _WORD_BEFORE.search(text, begin, offset)
    start = before.start() if before else offset
    after = _WORD_AFTER.match(text, offset)
    end = after.end() if after else offset
    names = _LocalNames(text[:begin], card)
    owners = _OWNERS.search(text, begin, start)
    path = tuple(owners["owners"].split(".")) if owners else ()
    is_filter = not owners and bool(_FILTER.search(text, begin, start))
    owner = names.type_of_path(path) if path else UNKNOWN
    name = text[start:end]
    kind = part_type(owner, name) if path else names.type_of(name)
    return TemplateExpression(path, name, (start, end), owner, kind, names.local, is_filter)


class _LocalNames:
    """The types of names at a place of a template: those of the context, and those that are set before it."""

    def __init__(self, before: str, card: ValueType) -> None:
        self._card = card
        self._sources: dict[str, tuple[str, bool]] = {}
        for name, value, is_item, _ in sorted(_assignments(before), key=lambda each: each[3]):
            self._sources[name] = value, is_item

    @property
    def local(self) -> frozenset[str]:
        """The names that the template sets."""
        return frozenset(self._sources)

    def type_of(self, name: str, depth: int = 0) -> ValueType:
        """Return the type of a name."""
        if name not in self._sources or depth > _MAX_DEPTH:
            return self._card if name == "card" else UNKNOWN
        value, is_item = self._sources[name]
        expression = _EXPRESSION.match(value)
        kind = self.type_of_path(tuple(expression["path"].split(".")), depth + 1) if expression else UNKNOWN
        if not is_item:
            return kind
        return kind.item if isinstance(kind, ListType | MapType) else UNKNOWN

    def type_of_path(self, path: tuple[str, ...], depth: int = 0) -> ValueType:
        """Return the type of a dotted path, whose steps may end with an index."""
        kind = UNKNOWN
        for number, step in enumerate(path):
            name, bracket, _ = step.partition("[")
            kind = part_type(kind, name) if number else self.type_of(name, depth)
            if bracket:
                kind = kind.item if isinstance(kind, ListType | MapType) else UNKNOWN
        return kind


def _assignments(text: str) -> Iterator[tuple[str, str, bool, int]]:
    """Yield each name that is set, what it is set to, whether it is an item of that, and where."""
    for match in _LOOP.finditer(text):
        names = match["names"].replace(",", " ").split()
        for name in names:
            yield name, match["items"].partition(" if ")[0] if len(names) == 1 else "", True, match.start()
    for match in _SET.finditer(text):
        yield match["name"], match["value"], False, match.start()


def part_type(owner: ValueType, name: str) -> ValueType:
    """Return the type of a field."""
    owner = owner.card if isinstance(owner, LinkType) else owner
    if isinstance(owner, ModelType):
        return field_type(owner, name) or UNKNOWN
    if isinstance(owner, KeysType):
        return owner.keys.get(name, UNKNOWN)
    return owner.item if isinstance(owner, MapType) else UNKNOWN
