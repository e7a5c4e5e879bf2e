"""The pack of lists: everything to print for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType

from cardgen.game_file.cards.pieces.compiler import pack_pieces
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists.card_list import CardList
from cardgen.model.entry import Entry
from cardgen.model.references import find_links, linked_kinds
from cardgen.rulesets.pieces import Cylinder, Standee, Token
from cardgen.rulesets.ruleset import Pack, PackItem

MEMBERS = "members"


def compile_pack(context: GameContext) -> Pack | None:
    """Return the pack of the game's lists, or None.

    It contains the list, the cards that it names, and the pieces made from them.
    """
    lists = {name: spec for name, spec in context.spec.lists.items() if name in context.kinds}
    if not lists:
        return None
    named = dict.fromkeys(kind for name in lists for kind in linked_kinds(context.kinds[name].model))
    printed = tuple(name for name in lists if context.kinds[name].is_printed)
    documents = {
        "cards": (*(kind for kind in named if kind not in lists), *pack_pieces(context, Token)),
        "proxies": (*pack_pieces(context, Cylinder), *pack_pieces(context, Standee)),
        "roster": printed,
    }
    filled = {name: kinds for name, kinds in documents.items() if kinds}
    return Pack(tuple(lists), MappingProxyType(filled), partial(_pack_items, _made_from(context)))


def _made_from(context: GameContext) -> Mapping[str, tuple[str, ...]]:
    """Return the kinds of pieces that are made from each kind of card."""
    kinds = context.kinds.items()
    return {kind: tuple([name for name, piece in kinds if kind in piece.made_from]) for kind in context.kinds}


def _pack_items(pieces: Mapping[str, tuple[str, ...]], entry: Entry) -> Iterator[PackItem]:
    """Yield the list, each copy of the cards that it names, and a piece of each kind for it."""
    card = entry.card
    assert isinstance(card, CardList)
    yield PackItem(card.KIND, card.id)
    for link in find_links(card):
        qty = card.members[int(link.key_path[1])].qty if link.key_path[0] == MEMBERS else 1
        yield PackItem(link.kind, link.name, qty)
        for piece in pieces[link.kind]:
            yield PackItem(piece, link.name, qty)
