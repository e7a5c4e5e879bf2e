"""The printed kit: every kind of piece with its size, and the pack of one warband."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cardgen.model.entry import Entry
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.rulesets.warniris.examples import EXAMPLES
from cardgen.rulesets.warniris.kinds import Character, Minion, Mission, Relic, Warband
from cardgen.rulesets.warniris.pieces import Blank, Cylinder, Proxy, Standee, Token
from cardgen.units import Shape, Size

_WITH_MINIATURE = (Character.KIND, Minion.KIND)


def _trim(piece: Token | Proxy | Blank) -> Size:
    """To the thousandth of a millimetre, so that equal sizes are equal."""
    return Size(*(round(side, 3) for side in piece.trim))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.model.KIND: kind
        for kind in (
            Kind(Character, "tarot", EXAMPLES["character"]),
            Kind(Minion, "standard", EXAMPLES["minion"]),
            Kind(Relic, "mini-usa", EXAMPLES["relic"]),
            Kind(Mission, "standard", EXAMPLES["mission"]),
            # A roster: one a page on A4 and on Letter.
            Kind(Warband, "190mm x 250mm", EXAMPLES["warband"], can_rotate=False),
            Kind(Token, _trim, EXAMPLES["token"], Shape.ROUND),
            Kind(Cylinder, _trim, EXAMPLES["cylinder"], made_from=_WITH_MINIATURE),
            Kind(Standee, _trim, EXAMPLES["standee"], made_from=_WITH_MINIATURE),
            Kind(Blank, _trim, EXAMPLES["blank"], can_rotate=False),
        )
    }
)

# The tokens that every game needs, by their ids in the kit; those for wounds count 1, and 3 on their back.
ACTIVATED_TOKEN, REACTED_TOKEN, WOUNDS_TOKEN, WOUNDS_ON_BACK = "activated", "reacted", "wounds", 3


def pack_items(warband: Entry) -> Iterator[PackItem]:
    """What a warband takes to the table: a Last Stand's Horde neither reacts nor scores missions."""
    card = warband.card
    assert isinstance(card, Warband)
    yield PackItem(Warband.KIND, card.id)
    for member in card.members:
        yield from _character_items(warband.linked_entry(Character.KIND, member.character))
        if member.relic:
            yield PackItem(Relic.KIND, member.relic)
    for troop in card.minions:
        yield PackItem(Minion.KIND, troop.minion)
        yield PackItem(Standee.KIND, troop.minion, troop.qty)
        yield PackItem(Token.KIND, ACTIVATED_TOKEN, troop.qty)
    if card.members:
        yield PackItem(Mission.KIND)


def _character_items(entry: Entry) -> Iterator[PackItem]:
    card = entry.card
    assert isinstance(card, Character)
    for kind in (Character.KIND, Cylinder.KIND, Standee.KIND):
        yield PackItem(kind, card.id)
    for token in (ACTIVATED_TOKEN, REACTED_TOKEN):
        yield PackItem(Token.KIND, token)
    yield PackItem(Token.KIND, WOUNDS_TOKEN, wound_tokens(card.stats.wounds))


def wound_tokens(wounds: int) -> int:
    """How many tokens show every number of lost wounds that a miniature survives."""
    return max((lost // WOUNDS_ON_BACK + lost % WOUNDS_ON_BACK for lost in range(wounds)), default=0)


PACK = Pack(
    kind=Warband.KIND,
    documents=MappingProxyType(
        {
            "cards": (Character.KIND, Minion.KIND, Relic.KIND, Mission.KIND, Token.KIND),
            "proxies": (Cylinder.KIND, Standee.KIND),
            "roster": (Warband.KIND,),
        }
    ),
    items=pack_items,
)
