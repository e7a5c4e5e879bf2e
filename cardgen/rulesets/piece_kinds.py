"""Kinds of pieces that games share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardgen.rulesets.accessories import Box, Dial, Mat
from cardgen.rulesets.pieces import Blank, Cylinder, Ruler, Standee, Token, trim_size
from cardgen.rulesets.ruleset import Kind
from cardgen.units import Shape


def piece_kinds(
    token: type[Token],
    cylinder: type[Cylinder],
    standee: type[Standee],
    made_from: tuple[str, ...],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of tokens and proxies.

    Proxies can be made from cards of the kinds `made_from`. The folder `examples` contains an example of each kind.
    """
    proxies = (
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", made_from=made_from) for model in (cylinder, standee)
    )
    return Kind(token, trim_size, examples / f"{token.KIND}.yaml", Shape.ROUND), *proxies


def tool_kinds(blank: type[Blank], ruler: type[Ruler], examples: Path) -> tuple[Kind, ...]:
    """Return the kinds of blanks and rulers.

    The folder `examples` contains an example of each kind.
    """
    return tuple(
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", can_rotate=model is ruler) for model in (blank, ruler)
    )


def accessory_kinds(
    box: type[Box],
    mat: type[Mat],
    dial: type[Dial],
    made_from: tuple[str, ...],
    most: Callable[[Any], int],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of tuck boxes, battle mats, and dials.

    Dials can be made from cards of the kinds `made_from`; `most` returns the highest number for a card. The folder
    `examples` contains an example of each kind.
    """
    return (
        Kind(box, trim_size, examples / f"{box.KIND}.yaml"),
        Kind(mat, trim_size, examples / f"{mat.KIND}.yaml", can_tile=True),
        Kind(
            dial,
            trim_size,
            examples / f"{dial.KIND}.yaml",
            made_from=made_from,
            values=lambda card: {"most": most(card)},
            in_kit=False,
        ),
    )
