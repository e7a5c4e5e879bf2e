"""Accessories of a game: kinds of boxes, mats, and dials."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from cardgen.game_file.cards.lengths import length_within
from cardgen.game_file.cards.parts import class_name
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.pieces import PieceSpec
from cardgen.model.card import Card
from cardgen.rulesets.accessories import Box, Dial, Mat
from cardgen.units import MM_PER_INCH
from cardgen.validation.base import Number, Text

MAT_SIDES = (Mat.SHORTEST, Mat.LONGEST)


def unit_of(context: GameContext) -> str:
    """Return the unit of rulers and mats: that of the game, or else centimeters."""
    return context.spec.unit if context.spec.unit in ("cm", "in") else "cm"


def box(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a tuck box, and its example."""
    return create_model(class_name(name), __base__=Box), "holds: 40\ncard_size: poker\n"


def mat(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a mat, with the sides that the game gives, and its example."""
    unit = unit_of(context)
    fields: dict[str, Any] = {
        "unit": (
            Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")],
            unit,
        )
    }
    for key, side in (("width", spec.width), ("height", spec.height)):
        if side is not None:
            length = length_within(side, ("pieces", name, key), MAT_SIDES, context)
            default = round(length / (MM_PER_INCH if unit == "in" else 10), 3)
            fields[key] = (Number, Field(gt=0, default=default, description=f"its {key} in units"))
    required = "".join(f"{key}: {side}\n" for key, side in (("width", 60), ("height", 40)) if key not in fields)
    return create_model(class_name(name), __base__=Mat, **fields), required + "grid: 10\n"


def dial(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a dial, and its example."""
    label = spec.label or _label_of_most(spec, context) or "Wounds"
    field = (Text, Field(default=label, description="what it counts"))
    return create_model(class_name(name), __base__=Dial, label=field), "most: 12\n"


def dial_values(spec: PieceSpec) -> Callable[[Any], Mapping[str, object] | None]:
    """Return a function that returns the highest number for a card; None for a card without one."""

    def values(card: Any) -> Mapping[str, object] | None:
        most = getattr(card, spec.most or "", None)
        return {"most": most} if most else None

    return values


def is_valid_dial(name: str, spec: PieceSpec, context: GameContext) -> bool:
    """Report a dial that is made from cards without a field for its highest number."""
    if spec.piece != "dial" or (not spec.made_from and spec.most is None):
        return True
    if spec.most is None or not spec.made_from:
        message = "a dial that is made from cards needs both 'from' and 'most'"
        key = "from" if spec.made_from else "most"
        context.report(("pieces", name, key), message, "'most' is the field with the highest number")
        return False
    for kind in _kinds(spec):
        fields = context.spec.kinds[kind].fields
        if spec.most not in fields or fields[spec.most].type != "integer":
            numbers = [each for each, field in fields.items() if field.type == "integer"]
            message = f"'{spec.most}' is not an integer field of '{kind}'"
            context.report(("pieces", name, "most"), message, f"available: {', '.join(numbers) or 'none'}")
            return False
    return True


def _kinds(spec: PieceSpec) -> tuple[str, ...]:
    return (spec.made_from,) if isinstance(spec.made_from, str) else spec.made_from


def _label_of_most(spec: PieceSpec, context: GameContext) -> str | None:
    """Return the label of the field with the highest number."""
    for kind in _kinds(spec):
        field = context.spec.kinds[kind].fields.get(spec.most or "")
        if field is not None:
            return field.label or (spec.most or "").replace("_", " ").capitalize()
    return None
