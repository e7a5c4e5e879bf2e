"""Sentences made from each form of the grammar: reading them raises nothing, and near misses mean something else."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from cardgen.grammar.reading import Level
from cardgen.rulesets.warniris.cards import Ability
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.reader import read_text
from tests.grammar.form_sentences import FormSentences
from tests.random_cases import number_of_cases

# Texts for what no table has, and for clauses that fit into most others.
EXAMPLES = {
    "number": "2", "signed": "+1", "name": "*Hex Staff*", "die": "1d6", "faces": "5 or 6", "successor": "2",
    "faces_up": "4+", "nth": "first", "profile": "*Claws* (CW R1 D2)", "italic_name": "*Hex Staff*",
    "plain_name": "rifle", "proper_name": "Hex", "above_five": "6", "above_table": "80",
    "consequence": "the bearer gets +1 Mind", "deeds": "get +1 Mind", "bearer": "the bearer", "noun": "the bearer",
    "owner": "the bearer's", "whose": "its", "when": "when", "attacker": "the bearer", "if": "while",
    "circumstances": "", "details": "", "party": "the bearer", "changes": "+1 Mind",
    "moment": "the start of its activation", "victim": "", "possessor": "its", "weapon_type": "a CW", "cm": "6 cm",
    "distance": "within 6 cm", "near": "within 6 cm", "preposition": "by",
}  # fmt: skip
FRAMES = (
    "{}.",
    "{}, the bearer gets +1 Mind.",
    "{}, the bearer gets +1 Mind until the end of the turn.",
    "{}, the bearer regains 1 Wound.",
    "{}, the attacker takes 1 Damage.",
    "{}, that enemy takes 1 Damage.",
    "At the start of its Activation, {}.",
    "When the bearer Attacks, {}.",
    "When the bearer is Attacked, {}.",
    "When the bearer takes Damage, {}.",
    "For each point of Damage that the bearer takes, roll 1D6: on a 1, {}.",
    "When the bearer hits, {}.",
    "When an enemy within 6 cm ends a Move, {}.",
    "When an enemy Attacks, {}.",
    "When the bearer Moves, {}.",
    "While the bearer is in cover, {}.",
    "At the start of its Activation, the bearer gets +1 Mind {}.",
    "At the start of its Activation, roll 1D6: {}, the bearer regains 1 Wound.",
    "The bearer has +1 Mind {}.",
    "The bearer may re-roll a failed Test {}.",
    "Once per turn, {}, the bearer regains 1 Wound.",
    "When the bearer is Attacked with a CW, the attacker gets -1 Mind, {}.",
    "At the start of each turn, the bearer gets +1 Mind until the end of the turn, {}.",
    "At the start of its Activation, friends within 6 cm get +1 Mind until the end of the turn, {}.",
    "When the bearer hits, the target may be pushed up to 4 cm straight away from it, {}.",
    "At the start of its Activation, the bearer may make a free Move of up to 4 cm, {}.",
)
FORMS = 1_600
ADDED = ("instead", "not", "never", "no", "unless", "half", "twice", "other than", "except", "without", "up to", "last")
EXCHANGED = {
    "after": ["before"], "while": ["unless", "until"], "each": ["half"], "within": ["over"], "over": ["within"],
    "start": ["end"], "end": ["start"], "friends": ["enemies"], "enemies": ["friends"], "more": ["less"],
    "less": ["more"], "first": ["last"], "all": ["no"], "any": ["no"], "if": ["unless"], "failed": ["passed"],
    "passed": ["failed"],
}  # fmt: skip
# Distances without 'up to' are read loosely as such, and a Move is one of 'up to' anyway.
UP_TO = re.compile(r"\bup to \d+ cm\b")
# A title may stand before a sentence, as in 'Last Stand: ...'.
TITLE = re.compile(r"^(?:last|no|half|twice|never|without|except) [a-z]+ ?[:>,]")


def meanings(sentence: str) -> list[object]:
    """What each sentence of a text means, None for one that is not read."""
    thing = Ability.model_validate({"name": "X", "text": sentence})
    return [reading.value if reading.level != Level.UNREAD else None for reading in read_text(thing, sentence)]


@cache
def form_sentences() -> FormSentences:
    return FormSentences(CLAUSES, EXAMPLES, FRAMES, lambda sentence: all(meanings(sentence)))


def near_misses(sentence: str) -> Iterator[str]:
    for match in re.finditer(r"[A-Za-z]+", sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        yield from (f"{before}{other}{after}" for other in EXCHANGED.get(match[0].lower(), ()))
        yield from (each for added in ADDED if not UP_TO.search(each := f"{before}{added} {match[0]}{after}"))


@pytest.mark.share(3)
@pytest.mark.fuzz
def test_no_near_miss_of_a_form_is_read_as_the_form() -> None:
    """Some forms, the same in every run; `make fuzz` takes all of them."""
    made = form_sentences()
    assert len(made.forms) > FORMS
    forms = random.Random(FORMS).sample(made.forms, min(len(made.forms), number_of_cases(FORMS // 20, 1)))
    sentences = {sentence for symbol, form in forms if (sentence := made.sentence(symbol, form))}
    assert len(sentences) > len(forms) * 3 // 4
    wrong = []
    for sentence in sorted(sentences):
        known = meanings(sentence)
        wrong += [each for each in near_misses(sentence) if not TITLE.match(each) and meanings(each) == known]
    assert wrong == []
