"""The pack of lists: everything to print for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from cardgen.diagnostic import did_you_mean, slugify
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.lists import CardList
from cardgen.game_file.pieces import pack_pieces
from cardgen.game_file.spec import MEMBERS, MOST_MEMBERS, PackSpec
from cardgen.model.card import Entry
from cardgen.model.deck import Link, find_links, linked_kinds
from cardgen.rulesets.pieces import Cylinder, Standee, Token
from cardgen.rulesets.ruleset import Pack, PackItem

if TYPE_CHECKING:
    from cardgen.game_file.expressions import Formula


@dataclass(frozen=True)
class _ListPack:
    """What the pack of one list has.

    `made` are the kinds of pieces made from each kind of card, and `counts` the numbers of others by kind and id.
    """

    spec: PackSpec
    made: Mapping[str, tuple[str, ...]]
    counts: tuple[tuple[str, str, Formula], ...]

    def items(self, entry: Entry) -> Iterator[PackItem]:
        """Yield the list, each copy of the cards that it names with its pieces, and what else it has."""
        card = entry.card
        assert isinstance(card, CardList)
        yield PackItem(card.KIND, card.id)
        for link in _distinct_links(card):
            qty = card.members[int(link.key_path[1])].qty if link.key_path[0] == MEMBERS else 1
            target = entry.links.get((link.kind, link.name))
            kind = target.kind if target else link.kind
            yield PackItem(kind, link.name, qty)
            for piece in self.made[kind]:
                yield PackItem(piece, link.name, qty)
        links = [link for link in find_links(card) if link.key_path[0] == MEMBERS]
        targets = [(entry.links.get((link.kind, link.name)), card.members[int(link.key_path[1])]) for link in links]
        members = [target.card for target, member in targets if target for _ in range(member.qty)]
        named = (link for member in members for link in find_links(member) if link.kind in self.spec.named)
        # By name or id; the same card counts once.
        for (kind, _), name in {(link.kind, slugify(link.name)): link.name for link in named}.items():
            yield PackItem(kind, name)
        for kind in self.spec.also:
            yield PackItem(kind, where=lambda _: True)
        names = {**dict(card), MEMBERS: members}
        for kind, name, count in self.counts:
            if number := count.whole(names, entry.workspace.budget, 0, MOST_MEMBERS):
                yield PackItem(kind, name, number)


def _distinct_links(card: CardList) -> Iterator[Link]:
    """Yield the references of a list, without those to members that other fields name, such as a leader."""
    members = {slugify(member.card) for member in card.members}
    for link in find_links(card):
        is_member = link.kind in card.MEMBER_KINDS and slugify(link.name) in members
        if link.key_path[0] == MEMBERS or not is_member:
            yield link


def compile_pack(context: GameContext) -> Pack | None:
    """Return the pack of the game's lists, or None.

    It contains the list, the cards that it names, and the pieces made from them. Report mistakes in it.
    """
    lists = {name: spec for name, spec in context.spec.lists.items() if name in context.kinds}
    if not lists:
        return None
    packs = {name: _compile_list(name, spec.pack, context) for name, spec in lists.items()}
    linked = [kind for name in lists for kind in linked_kinds(context.kinds[name].model) if kind not in lists]
    more = [kind for spec in lists.values() for kind in (*spec.pack.named, *spec.pack.also, *spec.pack.pieces)]
    printed = tuple(name for name in lists if context.kinds[name].is_printed)
    documents = {
        "cards": tuple(dict.fromkeys((*linked, *more, *pack_pieces(context, Token)))),
        "proxies": (*pack_pieces(context, Cylinder), *pack_pieces(context, Standee)),
        "roster": printed,
    }
    filled = {name: kinds for name, kinds in documents.items() if kinds}
    return Pack(tuple(lists), MappingProxyType(filled), partial(_pack_items, packs))


def _pack_items(packs: Mapping[str, _ListPack], entry: Entry) -> Iterator[PackItem]:
    return packs[entry.kind].items(entry)


def _compile_list(name: str, spec: PackSpec, context: GameContext) -> _ListPack:
    path = ("lists", name, "pack")
    for key, kinds in (("named", spec.named), ("also", spec.also), ("pieces", tuple(spec.pieces))):
        for number, kind in enumerate(kinds):
            if kind not in context.kinds:
                message = f"unknown kind '{kind}'{did_you_mean(kind, context.kinds)}"
                context.report((*path, key, kind if key == "pieces" else number), message, key=key == "pieces")
    every = context.kinds.items()
    made = {kind: tuple([each for each, piece in every if kind in piece.made_from]) for kind in context.kinds}
    return _ListPack(spec, made, tuple(_counts(name, spec, context)) if spec.pieces else ())


def _counts(name: str, spec: PackSpec, context: GameContext) -> Iterator[tuple[str, str, Formula]]:
    """Yield the kind, the id, and the number of each piece."""
    from cardgen.game_file.checks import check_scope
    from cardgen.game_file.expressions import FormulaCompiler

    compiler, scope = FormulaCompiler(context), check_scope((context.kinds[name].model,), context)
    plain = {key: shape for key, shape in scope.items() if key not in ("card", "kind", "rulings")}
    for kind, numbers in spec.pieces.items():
        for each, source in numbers.items():
            if count := compiler.formula(source, ("lists", name, "pack", "pieces", kind, each), plain):
                yield kind, each, count
