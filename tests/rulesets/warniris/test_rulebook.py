"""The glossary, the rulings, and the words around the cards' own sentences."""

from __future__ import annotations

import re

import pytest

from cardgen.referee.parameters import Ruling, settings_in_force
from cardgen.rulesets import phrases
from cardgen.rulesets.ruleset import GlossaryTerm, Ruleset, read_glossary, ruleset
from cardgen.rulesets.warniris.cards import Ability, Character, Mission, Relic
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.rulebook import GLOSSARY, RULINGS
from cardgen.rulesets.warniris.wording.effects import describe, once_label
from cardgen.source import parse_document
from tests.cases import each_case

TERMS = read_glossary(GLOSSARY)
NAMES = {
    "Mind", "Body", "Spirit", "Wounds", "Movement", "Ability", "Relic", "Test", "Action", "Move", "Attack", "Channel",
    "Activation", "Reaction", "Penetration", "Damage", "Healing", "Range", "Effect", "Warband", "Character", "Minion",
    "Horde", "Mission", "Target", "Weapon", "Power", "Shift", "Friend", "Enemy",
}  # fmt: skip

# The settings that the rules give; the first is in force.
SWITCHES = {
    "tie-rolls": ["again", "first"],
    "mission-14-type": ["cw", "rw", "any"],
    "clamp-order": ["twice", "once", "before"],
    "overkill-vp": ["lost", "all"],
    "friendly-vp": ["none", "enemy"],
    "elimination": ["wins", "vp"],
    "both-eliminated": ["vp", "draw"],
    "vp-tie": ["draw", "wounds"],
    "ignored-vp": ["unscored", "scored"],
    "reaction-test": ["attribute", "higher"],
    "reaction-cloak": ["free", "hindered"],
    "reaction-hit": ["tested", "timing"],
    "reaction-when": ["any-point", "before-dice"],
    "reaction-chain": ["none", "allowed"],
    "reaction-cw-move": ["allowed", "none"],
    "reaction-spent": ["spent", "kept"],
    "reaction-counts": ["counted", "apart"],
    "bonus-on-reaction": ["holds", "actions"],
    "between-order": ["outward", "inward"],
    "between-hit": ["tested", "skipped"],
    "diverted-sight": ["line", "own"],
    "interference-cover": ["counts", "free"],
    "penalty-scope": ["weighs", "free"],
    "cw-path": ["tested", "free"],
    "free-move-counts": ["counted", "apart"],
    "partial-cover": ["none", "hindered"],
    "small-gaps": ["blocked", "gap"],
    "attack-friends": ["forbidden", "allowed"],
    "heal-target": ["oneself", "others"],
    "unequal": ["goes-on", "pass"],
    "same-action": ["allowed", "different"],
    "distance": ["strict", "short"],
    "zone-shape": ["square", "quarter"],
    "relic-duplicates": ["allowed", "unique"],
    "channel-is-attack": ["apart", "included"],
    "mission-scope": ["as-said", "one"],
    "mission-once": ["once", "each-time"],
    "mission-2-check": ["turn-end", "throughout"],
    "mission-2-contested": ["shared", "contested"],
    "horde-actions": ["two", "three"],
    "last-stand-first": ["defenders", "alternate", "roll"],
    "last-stand-score": ["deeds", "turns"],
    "refill": ["edges", "anywhere"],
}


def test_the_ruleset_hands_out_its_words() -> None:
    rules = ruleset("warniris")
    assert isinstance(rules, Ruleset)
    assert (rules.glossary, rules.rulings) == (GLOSSARY, RULINGS)
    relic = Relic.model_validate(
        {"name": "Sun Stone", "once": "turn", "effects": [{"when": "turn_start", "bearer": {"heal": 1}}]}
    )
    assert (rules.describe(relic), rules.once_label(relic)) == (describe(relic), once_label(relic))
    assert rules.once_label(relic) == "Once a turn"


def test_every_term_is_there_once() -> None:
    names = [term.name for term in TERMS]
    assert NAMES | {"Combat Weapon", "Ranged Weapon", "Victory Point", "Last Stand"} == set(names)
    forms = [form for term in TERMS for form in term.forms]
    assert len(set(forms)) == len(forms)
    assert all(term.forms[0] == term.name for term in TERMS)


@each_case("term", TERMS, ids=lambda term: term.name)
def test_a_definition_is_one_or_two_sentences(term: GlossaryTerm) -> None:
    assert term.definition.endswith(".")
    assert 1 <= len(re.findall(r"\.(?= |$)", term.definition)) <= 2
    assert len(term.definition) <= 130


def test_cards_set_few_words_bold() -> None:
    assert {term.name for term in TERMS if term.bold} == {
        "Mind", "Body", "Spirit", "Wounds", "Movement", "Range", "Penetration", "Damage", "Healing",
        "Move", "Attack", "Channel", "Reaction",
    }  # fmt: skip
    assert "Attacked" in phrases.bold_forms(GLOSSARY)
    assert "Test" not in phrases.bold_forms(GLOSSARY)


def test_every_ruling_is_there_with_its_settings() -> None:
    assert {ruling.id: list(ruling.settings) for ruling in RULINGS} == SWITCHES
    assert all(len(settings) > 1 for settings in SWITCHES.values())
    assert settings_in_force(RULINGS, {"elimination": "vp"})[0]["elimination"] == "vp"


@each_case("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_a_ruling_asks_and_answers(ruling: Ruling) -> None:
    assert ruling.question.endswith("?")
    assert all(sentence.endswith(".") for sentence in ruling.settings.values())


@each_case("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_a_setting_can_be_written_without_quotes(ruling: Ruling) -> None:
    for setting in ruling.settings:
        document = parse_document(f"rulings: {{{ruling.id}: {setting}}}\n", "cardgen.yaml")
        assert not document.diagnostics
        assert document.data == {"rulings": {ruling.id: setting}}


def test_free_text_stands_for_the_sentences_and_has_its_terms_bold() -> None:
    effects = [{"bearer": {"mind": 1}}, {"when": "moving", "bearer": {"movement": 5}}]
    ability = {"name": "A", "once": "turn", "effects": effects}
    made = "This Character has +1 **Mind**. "
    made += "When this Character **Moves**, you may use this: this Character gets +5 cm **Movement**."
    assert describe(Ability.model_validate(ability)).replace(phrases.NBSP, " ") == made
    assert describe(Ability.model_validate({**ability, "text": "Its Mind *grows*."})) == "Its **Mind** *grows*."
    assert once_label(Ability.model_validate(ability)) == "Once a turn"


def test_a_weapon_speaks_of_itself() -> None:
    net = {
        "name": "Net",
        "type": "RW",
        "range": 10,
        "damage": 1,
        "effects": [{"for": "turn", "target": {"movement": -5}}],
    }
    said = describe(Weapon.model_validate(net)).replace(phrases.NBSP, " ").replace(phrases.MINUS, "-")
    assert said == (
        "When it deals **Damage**, the target gets -5 cm **Movement** until the end of the turn (cumulative)."
    )


def test_what_says_nothing_is_described_by_nothing() -> None:
    stats = {"M": 1, "B": 1, "S": 1, "W": 1, "Mo": 1}
    character = Character.model_validate({"name": "A", "stats": stats})
    assert describe(character) == once_label(character) == ""
    mission = Mission.model_validate({"name": "A", "vp": 1, "text": "Win."})
    assert (describe(mission), once_label(mission)) == ("Win.", "")
    assert once_label(Relic.model_validate({"name": "A", "text": "B", "once": True})) == "Once a battle"


@pytest.mark.parametrize(
    ("rolled", "said"),
    [([1], "1"), ([1, 2], "1 or 2"), ([1, 2, 3], "1 to 3"), ([1, 3, 5], "1, 3 or 5"), ([1, 3, 4, 5], "1 or 3 to 5")],
)
def test_faces_of_a_die(rolled: list[int], said: str) -> None:
    assert phrases.die_faces(rolled) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{B} rests, {B} sleeps", "X rests, it sleeps"),
        ("at {B's} end, {B} rests, {B's} eyes shut", "at its end, X rests, its eyes shut"),
        ("at {B's} end, all see {b}", "at X’s end, all see it"),
        ("{B} meets a foe, {the} rests", "X meets a foe, X rests"),
    ],
)
def test_the_bearer_is_named_once(written: str, said: str) -> None:
    assert phrases.resolve_bearer(written, "X") == said
