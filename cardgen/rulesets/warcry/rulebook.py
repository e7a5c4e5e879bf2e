"""The glossary of Warcry, and its rulings where the rules are silent."""

from __future__ import annotations

from cardgen.game import GlossaryTerm, Ruling


def _bold_term(name: str, definition: str, *forms: str, everyday: tuple[str, ...] = ()) -> GlossaryTerm:
    """A term that cards set bold: a characteristic or the name of a universal reaction."""
    return GlossaryTerm(name, definition, (name, *forms), bold=True, everyday=everyday)


def _plain_term(name: str, definition: str, *forms: str) -> GlossaryTerm:
    """A term that its rules write in small letters."""
    return GlossaryTerm(name, definition, (name, *forms), everyday=(name, *forms))


GLOSSARY: tuple[GlossaryTerm, ...] = (
    _bold_term("Move", "How many inches a fighter may go in one move action.", everyday=("Move",)),
    _bold_term("Toughness", "What an attack's Strength is compared with."),
    _bold_term("Wounds", "At so many damage points a fighter is taken down."),
    _bold_term(
        "Range", "How many inches a weapon reaches, from the lower number to the higher one.", everyday=("Range",)
    ),
    _bold_term("Attacks", "How many dice an attack action rolls.", everyday=("Attacks",)),
    _bold_term("Strength", "Over the target's Toughness it hits on 3+, equal to it on 4+, under it on 5+."),
    _bold_term("Damage", "Points that a hit allocates and, behind the stroke, a critical hit.", everyday=("Damage",)),
    _plain_term("Fighter", "A miniature of a warband.", "Fighters"),
    _plain_term("Warband", "All fighters of one player.", "Warbands"),
    _plain_term("Runemark", "A symbol on a fighter's card by which rules name it.", "Runemarks"),
    _plain_term("Ability", "What one set of ability dice pays for, once an activation.", "Abilities"),
    _plain_term("Reaction", "An answer to an enemy's action, paid for with an action of one's own.", "Reactions"),
    _plain_term("Battle trait", "What a whole warband has by a runemark that all its fighters share.", "Battle traits"),
    _plain_term("Blessing", "What makes one fighter better, for points.", "Blessings"),
    _plain_term("Battleplan", "A map, what scores, and a twist.", "Battleplans"),
    _plain_term("Battle round", "Initiative, then activations in turn until all have acted.", "Battle rounds"),
    _plain_term("Initiative", "Who acts first: whoever has more singles."),
    _plain_term("Single", "A value that only one of the initiative dice shows.", "Singles"),
    _plain_term("Double", "Two ability dice of one value.", "Doubles"),
    _plain_term("Triple", "Three ability dice of one value.", "Triples"),
    _plain_term("Quad", "Four or more ability dice of one value.", "Quads"),
    _plain_term("Wild dice", "One a round: a single more, or one step more for a set.", "Wild die"),
    _plain_term("Critical hit", "A die that shows 6 in an attack.", "Critical hits", "Criticals"),
    _plain_term("Damage point", "What hits allocate to a fighter, one by one.", "Damage points"),
    _plain_term("Taken down", "What becomes of a fighter with as many damage points as Wounds."),
    _plain_term("Objective", "A marker that fighters near it control.", "Objectives"),
    _plain_term("Victory point", "What wins a battle.", "Victory points"),
    _plain_term("Grand alliance", "Order, Chaos, Death or Destruction.", "Grand alliances"),
)

BOLD_FORMS: tuple[str, ...] = tuple(form for term in GLOSSARY if term.bold for form in term.forms)


def _ruling(name: str, question: str, **settings: str) -> Ruling:
    return Ruling(name, question, {setting.replace("_", "-"): words for setting, words in settings.items()})


RULINGS: tuple[Ruling, ...] = (
    _ruling(
        "counter-ones",
        "Do several 1s in one attack count for Counter more than once?",
        once="No: any number of 1s gives the attacker 2 damage points.",
        each="Yes: 2 damage points for each 1.",
    ),
    _ruling(
        "ones-miss",
        "Are dice that show 1 misses too, for the second half of Counter?",
        counted="Yes.",
        apart="No: only other dice that miss are counted.",
    ),
    _ruling(
        "onslaught",
        "What does Onslaught cost?",
        triple="A triple, as in the Matched Play battlepack.",
        double="A double, as in the older core rules.",
    ),
    _ruling(
        "impact-table",
        "Which rolls of impact damage are worse?",
        high="High ones: 1 damage point on a 4 or 5, 3 on a 6.",
        low="Low ones: 1 damage point on a 2 or 3, 3 on a 1.",
    ),
    _ruling(
        "seize-again",
        "When are singles counted again, to seize the initiative?",
        together="Once, when both players have said what they use their wild dice for.",
    ),
    _ruling("rounds", "How many battle rounds has a battle?", four="Four.", three="Three.", five="Five."),
    _ruling("victory", "Who wins, where the battleplan does not say?", points="Whoever has more victory points."),
    _ruling("scores-victory", "What is '1 victory' in a battleplan?", point="1 victory point."),
    _ruling(
        "bloodgifted",
        "Who is bloodgifted in Mystic Glade?",
        attacker="The fighter that attacked: the one that is taken down could control nothing any more.",
    ),
    _ruling(
        "blessings-each",
        "How many blessings may a fighter have?",
        one="One.",
    ),
)
