"""The pack of lists: everything to print for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType

from cardgen.game_file.cards.pieces import pack_pieces
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists.card_list import CardList
from cardgen.model.entry import Entry
from cardgen.rulesets.pieces import Cylinder, Standee, Token
from cardgen.rulesets.ruleset import Pack, PackItem


def compile_pack(context: GameContext) -> Pack | None:
    """Return the pack of the game's lists, or None.

    It contains the list, its members, and the pieces made from them.
    """
    lists = {name: spec for name, spec in context.spec.lists.items() if name in context.kinds}
    if not lists:
        return None
    members = tuple(dict.fromkeys(spec.members.kind for spec in lists.values()))
    printed = tuple(name for name in lists if context.kinds[name].is_printed)
    documents = {
        "cards": (*members, *pack_pieces(context, Token)),
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
    """Yield the list, each member, and a piece of each kind for each copy of it."""
    card = entry.card
    assert isinstance(card, CardList)
    yield PackItem(card.KIND, card.id)
    for member in card.members:
        yield PackItem(card.MEMBER_KIND, member.card)
        for piece in pieces[card.MEMBER_KIND]:
            yield PackItem(piece, member.card, member.qty)
