"""Verbs of clauses about cards are read in the third person, singular and plural: 'it makes', 'they make'.

Forms of Warniris and Warcry name both where their sentences have both.
"""

from __future__ import annotations

import re

from cardgen.grammar.grammar import Grammar
from cardgen.rulesets.diskwars.wording import GRAMMAR as DISKS
from cardgen.rulesets.skirmish.wording import SCENARIOS, WARRIORS, WEAPONS
from tests.cases import each_case

GRAMMARS = {"disks": DISKS, "warriors": WARRIORS, "weapons": WEAPONS, "scenarios": SCENARIOS}
# Verbs of the tables, and words that look like one of their forms.
VERBS = (
    "activate", "add", "affect", "apply", "attack", "begin", "belong", "bear", "block", "bring", "carry", "cast",
    "cause", "charge", "choose", "climb", "cost", "counter", "crawl", "cross", "dart", "deal", "deploy", "do",
    "drip", "empower", "end", "endure", "fight", "fire", "flee", "flip", "fly", "gain", "gallop", "get", "give",
    "go", "grant", "halve", "hate", "have", "hit", "hold", "hop", "ignore", "improve", "inspire", "keep", "know",
    "leap", "leave", "lie", "lift", "loose", "lose", "make", "march", "miss", "move", "muster", "need", "offer",
    "overlap", "pin", "place", "put", "reach", "receive", "recruit", "reinforce", "remain", "remove", "repeat",
    "reroll", "ride", "roll", "run", "save", "score", "see", "send", "set", "shoot", "slay", "spend", "spit",
    "spread", "start", "stay", "stop", "strike", "stride", "suffer", "survive", "swim", "take", "test", "throw",
    "trot", "use", "walk", "wear", "win", "withstand", "wound",
)  # fmt: skip
NO_VERBS = {
    "across", "always", "as", "bs", "chaos", "costs", "cross", "dangerous", "devious", "focus", "hits", "is", "its",
    "less", "lines", "points", "relentless", "rounds", "this", "times", "toughness", "unless", "ws", "does", "s",
    "others", "arrows", "bolts", "bullets", "darts", "missiles", "pistols", "stones", "warriors", "weapons",
    "groups", "penalties", "lasts", "blows", "grants",
}  # fmt: skip


def third_person(verb: str) -> str:
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return {"have": "has"}.get(verb, f"{verb}es" if re.search("(s|x|ch|sh|o)$", verb) else f"{verb}s")


def words_of(grammar: Grammar) -> set[str]:
    return {word for form in grammar._literals_of_forms for word in re.findall("[a-z']+", form.lower())}


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
