"""The kinds of Warniris cards and pieces, and the pack of a warband."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.game import (
    MINIATURE_PIECES,
    STANDEE,
    TOKEN,
    Entry,
    Kind,
    LateKinds,
    PackItem,
    count_tokens,
    finder_of_links,
    miniature_items,
    roster_pack,
)
from cardgen.rulesets.warniris.cards import Character, Minion, Mission, Relic, Warband

KINDS: Mapping[str, Kind] = LateKinds(
    {
        f"{__package__}.cards": ("character", "minion", "relic", "mission", "warband"),
        f"{__package__}.pieces": ("token", "cylinder", "standee", "blank", "ruler", "box", "mat", "dial"),
    },
    pieces={"character": MINIATURE_PIECES, "minion": MINIATURE_PIECES},
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
        yield from miniature_items(character)
        for token in (ACTIVATED_TOKEN, REACTED_TOKEN):
            yield PackItem(TOKEN, token)
        yield PackItem(TOKEN, WOUNDS_TOKEN, count_tokens(character.stats.wounds - 1, WOUNDS_ON_BACK))
        if member.relic:
            yield PackItem(Relic.KIND, member.relic)
    for troop in card.minions:
        yield PackItem(Minion.KIND, troop.minion)
        yield PackItem(STANDEE, troop.minion, troop.qty)
        yield PackItem(TOKEN, ACTIVATED_TOKEN, troop.qty)
    if card.members:
        yield PackItem(Mission.KIND)


PACK = roster_pack(Warband.KIND, (Character.KIND, Minion.KIND, Relic.KIND, Mission.KIND), pack_items)
