"""Packs that games share: the kinds of printed pieces, and the documents of a list of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.rulesets.pieces import Cylinder, Standee, Token, trim_size
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.units import Shape

# Roughly as long as A4 and Letter have room for, and as wide; one a page.
ROSTER_SIZE = "190mm x 250mm"


def kinds_by_name(kinds: Iterable[Kind]) -> Mapping[str, Kind]:
    """Return kinds of card by their names, in their order."""
    return MappingProxyType({kind.model.KIND: kind for kind in kinds})


def piece_kinds(
    token: type[Token],
    cylinder: type[Cylinder],
    standee: type[Standee],
    made_from: tuple[str, ...],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of token and of proxy; proxies can be made from cards of the kinds `made_from`.

    The folder `examples` holds an example of each.
    """
    proxies = (
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", made_from=made_from) for model in (cylinder, standee)
    )
    return Kind(token, trim_size, examples / f"{token.KIND}.yaml", Shape.ROUND), *proxies


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a list of cards that is printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a list of cards: its cards with tokens, its proxies, and its roster."""
    documents = {
        "cards": (*cards, Token.KIND),
        "proxies": (Cylinder.KIND, Standee.KIND),
        "roster": (kind,),
    }
    return Pack(kind, MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield a card with both of its proxies, each `qty` times."""
    for kind in (card.KIND, Cylinder.KIND, Standee.KIND):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens, with 1 on the front and `flip` on the back, show every number from 0 to `most`."""
    return max((count // flip + count % flip for count in range(most + 1)), default=0)
