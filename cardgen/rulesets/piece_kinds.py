"""Kinds of pieces that games share, rosters, and the contents of packs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.rulesets.accessories import Box, Dial, Mat
from cardgen.rulesets.pieces import Blank, Cylinder, Ruler, Standee, Token, trim_size
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.units import Shape

# About the largest size that fits on both A4 and Letter; one per page.
ROSTER_SIZE = "190mm x 250mm"


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


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a card list printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a card list.

    Its files are the cards with tokens, the proxies, and the roster.
    """
    documents = {
        "cards": (*cards, Token.KIND),
        "proxies": (Cylinder.KIND, Standee.KIND),
        "roster": (kind,),
    }
    return Pack((kind,), MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield `qty` copies of a card and of its two proxies."""
    for kind in (card.KIND, Cylinder.KIND, Standee.KIND):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens can show every number from 0 to `most`.

    Each token has 1 on the front and `flip` on the back.
    """
    return max((count // flip + count % flip for count in range(most + 1)), default=0)
