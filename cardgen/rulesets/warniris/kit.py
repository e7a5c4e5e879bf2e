"""The printed kit: every kind of piece with its size, and the pack of one warband."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cardgen.model.entry import Entry
from cardgen.rulesets.ruleset import Kind, Need, Pack
from cardgen.rulesets.warniris.examples import EXAMPLES
from cardgen.rulesets.warniris.kinds import Character, Minion, Mission, Relic, Warband
from cardgen.rulesets.warniris.pieces import Blank, Cylinder, Proxy, Standee, Token
from cardgen.units import Shape, Size

_PLAYED = (Character.KIND, Minion.KIND)


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
            Kind(Warband, "190mm x 250mm", EXAMPLES["warband"], may_turn=False),
            Kind(Token, _trim, EXAMPLES["token"], Shape.ROUND),
            Kind(Cylinder, _trim, EXAMPLES["cylinder"], made_from=_PLAYED),
            Kind(Standee, _trim, EXAMPLES["standee"], made_from=_PLAYED),
            Kind(Blank, _trim, EXAMPLES["blank"], may_turn=False),
        )
    }
)

# The tokens that every game needs, by their ids in the kit; those for wounds count 1, and 3 on their back.
ACTIVATED, REACTED, WOUNDS, THREE = "activated", "reacted", "wounds", 3


def needs(warband: Entry) -> Iterator[Need]:
    """What a warband takes to the table: a Last Stand's Horde neither reacts nor scores missions."""
    card = warband.card
    assert isinstance(card, Warband)
    yield Need(Warband.KIND, card.id)
    for member in card.members:
        yield from _character(warband.named(Character.KIND, member.character))
        if member.relic:
            yield Need(Relic.KIND, member.relic)
    for troop in card.minions:
        yield Need(Minion.KIND, troop.minion)
        yield Need(Standee.KIND, troop.minion, troop.qty)
        yield Need(Token.KIND, ACTIVATED, troop.qty)
    if card.members:
        yield Need(Mission.KIND)


def _character(entry: Entry) -> Iterator[Need]:
    card = entry.card
    assert isinstance(card, Character)
    for kind in (Character.KIND, Cylinder.KIND, Standee.KIND):
        yield Need(kind, card.id)
    for token in (ACTIVATED, REACTED):
        yield Need(Token.KIND, token)
    yield Need(Token.KIND, WOUNDS, wound_tokens(card.stats.wounds))


def wound_tokens(wounds: int) -> int:
    """How many tokens show every number of lost wounds that a miniature survives."""
    return max((lost // THREE + lost % THREE for lost in range(wounds)), default=0)


PACK = Pack(
    kind=Warband.KIND,
    documents=MappingProxyType(
        {
            "cards": (Character.KIND, Minion.KIND, Relic.KIND, Mission.KIND, Token.KIND),
            "proxies": (Cylinder.KIND, Standee.KIND),
            "roster": (Warband.KIND,),
        }
    ),
    needs=needs,
)
