"""Kinds of cards, from a game file: pydantic models built from their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml
from pydantic import ConfigDict, create_model

from cardgen.game_file.context import GameContext
from cardgen.game_file.field_types import FieldCompiler, FieldPlace
from cardgen.game_file.parts import class_name
from cardgen.game_file.spec.kinds import FieldSpec, KindSpec
from cardgen.model.card import Card
from cardgen.rulesets.ruleset import Kind
from cardgen.units import Shape

GENERIC_TEMPLATE = "shared/generic"


class OpenCard(Card):
    """A card that keeps unknown keys for templates."""

    model_config = ConfigDict(extra="allow")


def compile_kinds(context: GameContext) -> None:
    """Add the kinds of a game to the context, and report mistakes in them."""
    for name, spec in context.spec.kinds.items():
        context.kinds[name] = _kind(name, spec, context)


def _kind(name: str, spec: KindSpec, context: GameContext) -> Kind:
    fields = _fields(spec.fields, ("kinds", name, "fields"), f"a {name}", context)
    base = OpenCard if spec.unknown_keys == "allow" else Card
    model = create_model(class_name(name), __base__=base, __doc__=spec.help or "", **fields)
    model.KIND = name
    size = spec.size if spec.size is not None else context.spec.size
    return Kind(model, str(size), _example(spec.example), Shape(spec.shape), generic=GENERIC_TEMPLATE)


def _fields(specs: Mapping[str, FieldSpec], path: tuple[str, ...], owner: str, context: GameContext) -> dict[str, Any]:
    compiler = FieldCompiler(context)
    return {name: compiler.field(spec, FieldPlace((*path, name), f"{name} of {owner}")) for name, spec in specs.items()}


def _example(example: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(example), sort_keys=False, allow_unicode=True) if example else ""
