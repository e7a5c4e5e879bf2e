"""Numbers of Warniris to quote in a text."""

from __future__ import annotations

from contextlib import suppress

from cardgen.reference.sources import RefusedError
from cardgen.rulesets.reference import Knowledge
from cardgen.rulesets.warniris.kinds import MOST_MEMBERS, Character, Minion
from cardgen.rulesets.warniris.procedures.battling import DEFENDERS, HORDE
from cardgen.rulesets.warniris.procedures.duel import ACTIONS, TURNS
from cardgen.rulesets.warniris.procedures.reckoning import GAP, LEAST, MOST
from cardgen.rulesets.warniris.reference.choosing import FIGHTING

_FACTS = {
    "least": str(LEAST),
    "most": str(MOST),
    "members": str(MOST_MEMBERS),
    "turns": str(TURNS),
    "actions": str(ACTIONS),
    "defenders": str(DEFENDERS),
    "horde": str(HORDE),
    "gap": str(GAP).replace("-", "−"),
}


def _fact(name: str, _: Knowledge) -> str:
    """A number that the program itself plays by."""
    if name not in _FACTS:
        raise RefusedError.unknown("fact", name, _FACTS)
    return _FACTS[name]


def _fighter(name: str, known: Knowledge) -> Character | Minion:
    for kind in FIGHTING:
        with suppress(RefusedError):
            card = known.find(kind, name)
            assert isinstance(card, Character | Minion)
            return card
    raise RefusedError.unknown("fighter", name, [card.id for kind in FIGHTING for card in known.cards[kind]])


def _stat(asked: str, known: Knowledge) -> str:
    """One characteristic of a fighter: <stat brute B>."""
    words = asked.split()
    if len(words) != 2:
        raise RefusedError("'stat' wants a fighter and a letter", "write for instance <stat brute B>")
    values = dict(_fighter(words[0], known).stats.printed)
    if words[1] not in values:
        raise RefusedError.unknown("characteristic", words[1], values)
    return str(values[words[1]])


def _weapon(asked: str, known: Knowledge) -> str:
    """The line of a weapon: <weapon sentinel Rifle>."""
    words = asked.split()
    if len(words) < 2:
        raise RefusedError("'weapon' wants a fighter and its weapon", "write for instance <weapon sentinel Rifle>")
    fighter, name = _fighter(words[0], known), " ".join(words[1:])
    for weapon in fighter.weapons:
        if weapon.name.casefold() == name.casefold():
            return f"{weapon.type} {weapon.numbers}"
    raise RefusedError.unknown(f"weapon of {fighter.name}", name, [weapon.name for weapon in fighter.weapons])


QUOTATIONS = {"fact": _fact, "stat": _stat, "weapon": _weapon}
