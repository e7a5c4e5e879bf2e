"""Help and completions for the expressions of templates: names, fields of the card, and filters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardgen.editor.completion import Completion, CompletionKind
from cardgen.editor.hover import Hover, escape
from cardgen.editor.key_help import key_help
from cardgen.editor.session import LoadedProject
from cardgen.editor.template_expression import TemplateExpression, expression_at
from cardgen.editor.text import span_between
from cardgen.face.template.mistakes.value_types import ListType, ModelType, ScalarType, ValueType
from cardgen.face.template.mistakes.wording import visible_fields
from cardgen.pipeline.load.deck import KINDS_BY_GAME, require_game
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
    "describe": "`describe(thing)` is the text of a card or a part of one: its own, or one made from its effects.",
    "once_label": "`once_label(thing)` says how often a thing can be used, or nothing.",
    "meaning": '`meaning(term)` is the definition of a term in the glossary, such as `meaning("Cover")`.',
    "named": '`named(kind, name)` is a card that this card refers to, such as `named("relic", member.relic)`.',
    "emblem": "`emblem(id, x, y, width)` draws a coat of arms with its top left corner at x, y.",
    "mix": "`mix(colour, colour, share)` blends two colors; a share of 0 is the first, 1 the second.",
    "icon": "`icon(name, x, y, size, colour)` draws an icon centered at x, y.",
}


def is_template(path: Path) -> bool:
    """Return whether a file is a template, by its name."""
    return path.name.endswith(".svg.j2")


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
    names = _fields(expression.owner) if expression.owners else _all_names(loaded, file, expression)
    if expression.is_filter:
        names = {name: _first_sentence(function) for name, function in _filters(loaded).items()}
    for name, help_text in names.items():
        if name.startswith(expression.name):
            yield Completion(name, name, CompletionKind.KEY, "", help_text, len(expression.name))


def _card_type(loaded: LoadedProject, file: Path) -> ValueType:
    """Return the type of the cards that a template prints."""
    kinds = KINDS_BY_GAME.get(_game_of(loaded, file), {})
    kind = kinds.get(file.name.partition(".")[0])
    models = (kind,) if kind else tuple(kinds.values())
    return ModelType(models)


def _game_of(loaded: LoadedProject, file: Path) -> str:
    """Return the game of a template: that of its folder, in `templates` or in `games`."""
    folder = file.parent
    name = folder.parent.name if folder.name == "templates" else folder.name
    return name if name in KINDS_BY_GAME else loaded.game


def _help(loaded: LoadedProject, file: Path, expression: TemplateExpression) -> str:
    if expression.is_filter:
        function = _filters(loaded).get(expression.name)
        return f" · filter\n\n{escape(_first_sentence(function))}" if function else ""
    if expression.owners:
        if expression.name not in _fields(expression.owner):
            return ""
        return f" · {_type_name(expression.kind)}\n\n{escape(_field_help(expression.owner, expression.name))}".rstrip()
    text = _functions(loaded, file).get(expression.name) or NAMES.get(expression.name, "")
    if expression.name in expression.local:
        text = "A name that this template sets."
    kind = _type_name(expression.kind) if expression.kind != ValueType() else ""
    return f"{' · ' if kind else ''}{kind}\n\n{text}" if text else ""


def _all_names(loaded: LoadedProject, file: Path, expression: TemplateExpression) -> dict[str, str]:
    local = dict.fromkeys(expression.local, "A name that this template sets.")
    return {**NAMES, **_functions(loaded, file), **local}


def _functions(loaded: LoadedProject, file: Path) -> dict[str, str]:
    """Return the functions that the game adds to its templates."""
    game = _game_of(loaded, file)
    return {name: _first_sentence(function) for name, function in require_game(game).template_functions.items()}


def _fields(owner: ValueType) -> dict[str, str]:
    models = owner.models if isinstance(owner, ModelType) else ()
    return {name: _field_help(owner, name) for model in models for name in visible_fields(model)}


def _field_help(owner: ValueType, name: str) -> str:
    for model in owner.models if isinstance(owner, ModelType) else ():
        field = model.model_fields.get(name)
        info = key_help(model, field.alias or name) if field and issubclass(model, Model) else None
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
        case ScalarType(name=name):
            return name
        case ListType():
            return "a list; loop over it"
        case ModelType():
            return "a part with fields"
    return "a value"
