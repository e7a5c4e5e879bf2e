"""The kinds of Warniris cards and pieces, and the pack of a warband."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from cardgen.game import (
    Entry,
    Kind,
    PackItem,
    accessory_kinds,
    count_tokens,
    finder_of_links,
    kinds_by_name,
    miniature_items,
    piece_kinds,
    roster_kind,
    roster_pack,
    tool_kinds,
)
from cardgen.rulesets.warniris.cards import Character, Minion, Mission, Relic, Warband
from cardgen.rulesets.warniris.pieces import Blank, Box, Cylinder, Dial, Mat, Ruler, Standee, Token

EXAMPLES = Path(__file__).with_name("examples")

KINDS: Mapping[str, Kind] = kinds_by_name(
    (
        Kind(Character, "tarot", EXAMPLES / "character.yaml"),
        Kind(Minion, "standard", EXAMPLES / "minion.yaml"),
        Kind(Relic, "mini-usa", EXAMPLES / "relic.yaml"),
        Kind(Mission, "standard", EXAMPLES / "mission.yaml"),
        roster_kind(Warband, EXAMPLES),
        *piece_kinds(Token, Cylinder, Standee, (Character.KIND, Minion.KIND), EXAMPLES),
        *tool_kinds(Blank, Ruler, EXAMPLES),
        *accessory_kinds(Box, Mat, Dial, (Character.KIND, Minion.KIND), lambda card: card.stats.wounds, EXAMPLES),
    )
)

# The tokens that every game needs, by their ids in the kit; tokens for wounds show 1 on the front and 3 on the back.
ACTIVATED_TOKEN, REACTED_TOKEN, WOUNDS_TOKEN, WOUNDS_ON_BACK = "activated", "reacted", "wounds", 3


def pack_items(warband: Entry) -> Iterator[PackItem]:
    """Yield what a warband needs on the table. A Horde has no Reactions or missions."""
    card, find = warband.card, finder_of_links(warband)
    assert isinstance(card, Warband)
    yield PackItem(Warband.KIND, card.id)
    for member in card.members:
        character = find(Character, member.character)
        assert character
        yield from _character_items(character)
        if member.relic:
            yield PackItem(Relic.KIND, member.relic)
    for troop in card.minions:
        yield PackItem(Minion.KIND, troop.minion)
        yield PackItem(Standee.KIND, troop.minion, troop.qty)
        yield PackItem(Token.KIND, ACTIVATED_TOKEN, troop.qty)
    if card.members:
        yield PackItem(Mission.KIND)


def _character_items(character: Character) -> Iterator[PackItem]:
    yield from miniature_items(character)
    for token in (ACTIVATED_TOKEN, REACTED_TOKEN):
        yield PackItem(Token.KIND, token)
    yield PackItem(Token.KIND, WOUNDS_TOKEN, count_tokens(character.stats.wounds - 1, WOUNDS_ON_BACK))


PACK = roster_pack(Warband.KIND, (Character.KIND, Minion.KIND, Relic.KIND, Mission.KIND), pack_items)
