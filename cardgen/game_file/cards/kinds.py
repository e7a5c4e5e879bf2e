"""Kinds of cards: pydantic models built from their fields."""

from collections.abc import Mapping
from typing import Any

import yaml
from pydantic import ConfigDict, create_model

from cardgen.game_file.cards.field_types import FieldCompiler, FieldPlace
from cardgen.game_file.cards.parts import class_name
from cardgen.game_file.cards.sizes import compile_size
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.kinds import FieldSpec, KindSpec
from cardgen.model.card import Card
from cardgen.rulesets.ruleset import Kind
from cardgen.source import KeyPath
from cardgen.validation.suggestion import did_you_mean

GENERIC_TEMPLATE = "shared/generic"


class OpenCard(Card):
    """A card that keeps unknown keys for templates."""

    model_config = ConfigDict(extra="allow")


def compile_kinds(context: GameContext) -> None:
    """Add the kinds of a game to the context.

    Report mistakes in them.
    """
    for name, spec in context.spec.kinds.items():
        context.kinds[name] = _kind(name, spec, context)


def _kind(name: str, spec: KindSpec, context: GameContext) -> Kind:
    fields = _fields(spec.fields, ("kinds", name, "fields"), f"a {name}", context)
    base = OpenCard if spec.unknown_keys == "allow" else Card
    model = create_model(class_name(name), __base__=base, __doc__=spec.help or "", **fields)
    model.KIND = name
    size, shape = compile_size(spec, ("kinds", name), context)
    _check_boxes(spec, ("kinds", name, "boxes"), context)
    return Kind(model, size, example_text(spec.example), shape, generic=GENERIC_TEMPLATE)


def _check_boxes(spec: KindSpec, path: KeyPath, context: GameContext) -> None:
    """Report rows of boxes whose number is not that of a field."""
    numbers = [name for name, field in spec.fields.items() if field.type == "integer"]
    for name, count in spec.boxes.items():
        if isinstance(count, str) and count not in numbers:
            is_known = count in spec.fields
            message = (
                f"'{count}' is not an integer" if is_known else f"unknown field '{count}'{did_you_mean(count, numbers)}"
            )
            advice = f"fields with integers: {', '.join(numbers)}" if numbers else "write a number"
            context.report((*path, name), message, advice)


def _fields(specs: Mapping[str, FieldSpec], path: tuple[str, ...], owner: str, context: GameContext) -> dict[str, Any]:
    compiler = FieldCompiler(context)
    return {name: compiler.field(spec, FieldPlace((*path, name), f"{name} of {owner}")) for name, spec in specs.items()}


def example_text(example: Mapping[str, Any]) -> str:
    """Return the example of a kind as it begins a new card."""
    return yaml.safe_dump(dict(example), sort_keys=False, allow_unicode=True) if example else ""
