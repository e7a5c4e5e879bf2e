"""The content of Warniris reference sheets, and the values they quote."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cardgen.game import GameData, NotAvailableError, ReferenceContent, fact_values
from cardgen.rulesets.warniris.cards import HORDE_SIZE, MAX_MEMBERS, Character, Minion
from cardgen.rulesets.warniris.limits import MAX_ATTRIBUTE, MIN_ATTRIBUTE, TURNS
from cardgen.rulesets.warniris.referee.battle.battle import DEFENDER_COUNT
from cardgen.rulesets.warniris.referee.game import ACTIONS_PER_ACTIVATION
from cardgen.rulesets.warniris.referee.modifiers import GAP_PENALTY
from cardgen.rulesets.warniris.reference import cards
from cardgen.rulesets.warniris.reference.cards import FIGHTER_KINDS

FACTS = {
    "least": str(MIN_ATTRIBUTE),
    "most": str(MAX_ATTRIBUTE),
    "members": str(MAX_MEMBERS),
    "turns": str(TURNS),
    "actions": str(ACTIONS_PER_ACTIVATION),
    "defenders": str(DEFENDER_COUNT),
    "horde": str(HORDE_SIZE),
    "gap": str(GAP_PENALTY).replace("-", "−"),
}


def _find_fighter(name: str, data: GameData) -> Character | Minion:
    for kind in FIGHTER_KINDS:
        with suppress(NotAvailableError):
            card = data.find(kind, name)
            assert isinstance(card, Character | Minion)
            return card
    raise NotAvailableError.unknown("fighter", name, [card.id for kind in FIGHTER_KINDS for card in data.cards[kind]])


def _stat_value(argument: str, data: GameData) -> str:
    """Return a characteristic of a fighter: <stat brute B>."""
    words = argument.split()
    if len(words) != 2:
        raise NotAvailableError("'stat' requires a fighter and a letter", "write, for instance, <stat brute B>")
    values = dict(_find_fighter(words[0], data).stats.printed)
    if words[1] not in values:
        raise NotAvailableError.unknown("characteristic", words[1], values)
    return str(values[words[1]])


def _weapon_value(argument: str, data: GameData) -> str:
    """Return the line of a weapon: <weapon sentinel Rifle>."""
    words = argument.split()
    if len(words) < 2:
        raise NotAvailableError(
            "'weapon' requires a fighter and its weapon", "write, for instance, <weapon sentinel Rifle>"
        )
    fighter, name = _find_fighter(words[0], data), " ".join(words[1:])
    for weapon in fighter.weapons:
        if weapon.name.casefold() == name.casefold():
            return f"{weapon.type} {weapon.numbers}"
    raise NotAvailableError.unknown(f"weapon of {fighter.name}", name, [weapon.name for weapon in fighter.weapons])


REFERENCE = ReferenceContent(
    sheets=Path(__file__).parent.parent / "sheets",
    content_providers={**cards.LETTER_PROVIDERS, **cards.CARD_PROVIDERS, **cards.ODDS_PROVIDERS},
    inline_values={"fact": fact_values(FACTS), "stat": _stat_value, "weapon": _weapon_value},
    list_kinds=("warband",),
)
