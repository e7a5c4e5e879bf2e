"""Where the rules at hand are silent or contradict themselves: what is held, and what else could be."""

from __future__ import annotations

from cardgen.rulesets.ruling import Ruling


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
