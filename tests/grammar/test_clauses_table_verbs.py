"""Verbs of clauses about cards are read in the third person, singular and plural: 'it makes', 'they make'.

Forms of Warniris and Warcry name both where their sentences have both.
"""

from __future__ import annotations

import re
from itertools import chain

from cardgen.grammar.grammar import Grammar
from cardgen.rulesets.diskwars.wording import GRAMMAR as DISKS
from cardgen.rulesets.skirmish.wording import SCENARIOS, WARBANDS, WARRIORS, WEAPONS
from tests.cases import each_case

GRAMMARS = {"disks": DISKS, "warriors": WARRIORS, "weapons": WEAPONS, "scenarios": SCENARIOS, "warbands": WARBANDS}
# Verbs of the tables, and words that look like one of their forms.
VERBS = (
    "activate", "add", "affect", "apply", "attack", "begin", "belong", "bear", "block", "bring", "carry", "cast",
    "cause", "charge", "choose", "climb", "cost", "counter", "cross", "deal", "deploy", "do", "empower", "end",
    "fight", "fire", "flee", "flip", "gain", "get", "give", "go", "grant", "hate", "have", "hit", "hold", "ignore",
    "improve", "keep", "know", "leave", "lie", "lift", "loose", "lose", "make", "miss", "move", "need", "offer",
    "overlap", "pin", "place", "put", "reach", "receive", "reinforce", "remain", "remove", "repeat", "reroll",
    "ride", "roll", "run", "save", "score", "see", "send", "shoot", "slay", "spit", "start", "stay", "stop",
    "strike", "suffer", "survive", "take", "test", "use", "walk", "wear", "win", "wound",
)  # fmt: skip
# 'Flies' stands beside 'can fly'.
NO_VERBS = {
    "flies",
    "across", "always", "as", "bs", "chaos", "costs", "cross", "dangerous", "devious", "focus", "hits", "is", "its",
    "less", "lines", "points", "relentless", "rounds", "this", "times", "toughness", "unless", "ws", "does", "s",
    "others", "items", "arrows", "bolts", "bullets", "darts", "missiles", "pistols", "stones", "warriors", "weapons",
    "groups", "penalties", "lasts", "blows", "grants", "miss", "fighters", "figures", "miniatures", "javelins",
    # Of a single disk, whose subject is always 'it' or 'this disk'.
    "copies", "damages", "halves", "hurts", "musters", "recruits", "scouts",
}  # fmt: skip


def third_person(verb: str) -> str:
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return {"have": "has"}.get(verb, f"{verb}es" if re.search("(s|x|ch|sh|o)$", verb) else f"{verb}s")


# Clauses that are found anywhere in a sentence: there, 'walks' has another subject than 'walk'.
MENTIONS = {
    "mention", "member", "trait", "deed", "striking", "each", "stopping", "poisonous", "held", "laid", "slaying",
    "kept", "sets", "in", "leaving", "staying", "some", "site", "turned", "orbetter",
}  # fmt: skip


def words_of(grammar: Grammar) -> set[str]:
    """Return the words in the forms of whole sentences."""
    clauses = chain.from_iterable(each for symbol, each in grammar.table.clauses.items() if symbol not in MENTIONS)
    texts = (form.text for clause in clauses for form in clause.forms)
    return {word for text in texts for word in re.findall("[a-z']+", re.sub(r"\{.*?\}", "", text).lower())}


@each_case("name", GRAMMARS)
def test_a_verb_is_read_in_the_singular_and_the_plural(name: str) -> None:
    grammar = GRAMMARS[name]
    words = words_of(grammar)
    used = [verb for verb in VERBS if {verb, third_person(verb)} & words]
    assert used
    lemmas = grammar.table.words
    assert [verb for verb in used if lemmas.get(third_person(verb)) != lemmas.get(verb, verb)] == []


@each_case("name", GRAMMARS)
def test_every_form_that_could_be_one_of_a_verb_is_known(name: str) -> None:
    grammar = GRAMMARS[name]
    known = {*map(third_person, VERBS), *NO_VERBS, *grammar.table.words}
    assert sorted(word for word in words_of(grammar) if word.endswith("s") and word not in known) == []
