"""The words of Warcry as its rules write them, explained in this project's own."""

from __future__ import annotations

from cardgen.rulesets.ruleset import Term


def _bold(name: str, definition: str, *forms: str, everyday: tuple[str, ...] = ()) -> Term:
    """A term that cards set bold: a characteristic or the name of a universal reaction."""
    return Term(name, definition, (name, *forms), bold=True, everyday=everyday)


def _plain(name: str, definition: str, *forms: str) -> Term:
    """A term that its rules write in small letters."""
    return Term(name, definition, (name, *forms), everyday=(name, *forms))


GLOSSARY: tuple[Term, ...] = (
    _bold("Move", "How many inches a fighter may go in one move action.", everyday=("Move",)),
    _bold("Toughness", "What an attack's Strength is compared with."),
    _bold("Wounds", "At so many damage points a fighter is taken down."),
    _bold("Range", "How many inches a weapon reaches, from the lower number to the higher one.", everyday=("Range",)),
    _bold("Attacks", "How many dice an attack action rolls.", everyday=("Attacks",)),
    _bold("Strength", "Over the target's Toughness it hits on 3+, equal to it on 4+, under it on 5+."),
    _bold("Damage", "Points that a hit allocates and, behind the stroke, a critical hit.", everyday=("Damage",)),
    _plain("Fighter", "A miniature of a warband.", "Fighters"),
    _plain("Warband", "All fighters of one player.", "Warbands"),
    _plain("Runemark", "A symbol on a fighter's card by which rules name it.", "Runemarks"),
    _plain("Ability", "What one set of ability dice pays for, once an activation.", "Abilities"),
    _plain("Reaction", "An answer to an enemy's action, paid for with an action of one's own.", "Reactions"),
    _plain("Battle trait", "What a whole warband has by a runemark that all its fighters share.", "Battle traits"),
    _plain("Blessing", "What makes one fighter better, for points.", "Blessings"),
    _plain("Battleplan", "A map, what scores, and a twist.", "Battleplans"),
    _plain("Battle round", "Initiative, then activations in turn until all have acted.", "Battle rounds"),
    _plain("Initiative", "Who acts first: whoever has more singles."),
    _plain("Single", "A value that only one of the initiative dice shows.", "Singles"),
    _plain("Double", "Two ability dice of one value.", "Doubles"),
    _plain("Triple", "Three ability dice of one value.", "Triples"),
    _plain("Quad", "Four or more ability dice of one value.", "Quads"),
    _plain("Wild dice", "One a round: a single more, or one step more for a set.", "Wild die"),
    _plain("Critical hit", "A die that shows 6 in an attack.", "Critical hits", "Criticals"),
    _plain("Damage point", "What hits allocate to a fighter, one by one.", "Damage points"),
    _plain("Taken down", "What becomes of a fighter with as many damage points as Wounds."),
    _plain("Objective", "A marker that fighters near it control.", "Objectives"),
    _plain("Victory point", "What wins a battle.", "Victory points"),
    _plain("Grand alliance", "Order, Chaos, Death or Destruction.", "Grand alliances"),
)

BOLD: tuple[str, ...] = tuple(form for term in GLOSSARY if term.bold for form in term.forms)
