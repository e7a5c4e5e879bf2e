"""Sizes of cards, from a game file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.game_file.expressions import GameContext
from cardgen.game_file.spec.kinds import Diameter, FixedSize, KindSpec
from cardgen.rulesets.ruleset import SizeByField
from cardgen.source import KeyPath
from cardgen.units import CARD_SIZES, Shape, Size, parse_length, parse_size
from cardgen.validation.suggestion import did_you_mean

_FALLBACK = "poker"
_SIZE_HELP = f"write [63mm, 88mm], or one of {', '.join(CARD_SIZES)}"
BY, DIAMETER = "by", "diameter"


def compile_size(spec: KindSpec, path: KeyPath, context: GameContext) -> tuple[str | Callable[[Any], Size], Shape]:
    """Return size and shape of a kind, and report mistakes in them."""
    size, place = (context.spec.size, ("size",)) if spec.size is None else (spec.size, (*path, "size"))
    shape = Shape(spec.shape)
    if isinstance(size, Mapping) and BY in size:
        return _by_field(size, spec, place, context), _shape_by_field(size, shape, place, context)
    if isinstance(size, Mapping):
        return _as_text(_diameter(size, place, context)), Shape.ROUND
    return _as_text(_fixed(size, place, context)), shape


def _shape_by_field(size: Mapping[str, Any], shape: Shape, place: KeyPath, context: GameContext) -> Shape:
    """Return the shape of a kind, all of whose sizes are diameters, or none."""
    sizes = {key: value for key, value in size.items() if key != BY}
    disks = [key for key, value in sizes.items() if isinstance(value, Mapping)]
    if disks and len(disks) < len(sizes) and shape is not Shape.ROUND:
        message = "some cards of this kind would be round, and others rectangular"
        context.report((*place, disks[0]), message, "write {diameter: …} for all values, or make two kinds")
    return Shape.ROUND if disks else shape


def _as_text(size: Size | None) -> str:
    return f"{size.width:g}mm x {size.height:g}mm" if size else _FALLBACK


def _by_field(
    size: Mapping[str, Any], spec: KindSpec, place: KeyPath, context: GameContext
) -> str | Callable[[Any], Size]:
    """Return the size that a field decides.

    Each of its choices needs one.
    """
    name = size[BY]
    field = spec.fields.get(name) if isinstance(name, str) else None
    words = list(field.choices or ()) if field and field.type == "choice" else []
    if field and field.type == "flag":
        words = ["true", "false"]
    if not words:
        message = f"'{name}' is not a field with choices" if name in spec.fields else f"unknown field '{name}'"
        context.report((*place, BY), message, "name a field of type choice or flag")
        return _FALLBACK
    for key in size:
        if key not in (*words, BY):
            context.report(
                (*place, key), f"'{key}' is not a choice of '{name}'", f"choices: {', '.join(words)}", key=True
            )
    missing = [word for word in words if word not in size]
    if missing:
        context.report(place, f"no size for {name}: {', '.join(missing)}", "add a size for each choice")
    sizes = {word: found for word in words if word in size and (found := _fixed(size[word], (*place, word), context))}
    return SizeByField(str(name), sizes) if sizes else _FALLBACK


def _diameter(size: Mapping[str, Any], place: KeyPath, context: GameContext) -> Size | None:
    """Return the size `{diameter: …}`, or None if it is not valid."""
    extra = next((key for key in size if key != DIAMETER), "")
    if not extra and DIAMETER in size:
        return _fixed(size[DIAMETER], (*place, DIAMETER), context)
    message = f"unknown key '{extra}'" if extra else "a size needs a diameter"
    context.report((*place, *([extra] if extra else [])), message, "write {diameter: 40mm}", key=bool(extra))
    return None


def _fixed(size: FixedSize | Diameter, place: KeyPath, context: GameContext) -> Size | None:
    """Return a size by name, by both sides, by one length, or by its diameter.

    Return None if it is not valid.
    """
    if isinstance(size, Mapping):
        return _diameter(size, place, context)
    try:
        if isinstance(size, str) and (size.strip().lower() in CARD_SIZES or "x" in size or "×" in size):
            return parse_size(size, CARD_SIZES)
        sides = size if isinstance(size, tuple | list) else (size, size)
        width, height = (parse_length(side) for side in sides)
        return parse_size(f"{width:g}mm x {height:g}mm", CARD_SIZES)
    except ValueError as error:
        known = isinstance(size, str) and not size[:1].isdigit()
        message = f"unknown size '{size}'{did_you_mean(str(size), CARD_SIZES)}" if known else str(error)
        context.report(place, message, _SIZE_HELP if known else "")
        return None
