"""A sentence with one word that changes its meaning is not read as the sentence without it.

The sentences are those of the authors' collections, of the built-in cards, and of random effects.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.grammar.reading import SentenceReading
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.sentences import sentences
from cardgen.rulesets.warniris.cards import Ability
from cardgen.rulesets.warniris.wording.effects import describe
from cardgen.rulesets.warniris.wording.reader import read_text
from tests.near_misses import near_misses
from tests.random_cases import number_of_cases
from tests.rulesets.warcry.wording.change_space import ChangeSpace
from tests.rulesets.warniris.wording.test_wording import SmallEffects, on

TESTS = Path(__file__).parents[1] / "rulesets"
KITS = TESTS.parents[1] / "cards"
TRIES = 1_500
Read = Callable[[str], tuple[SentenceReading, ...]]

# Words that do not change what the words around them mean, and why.
SAME: list[tuple[str, str, str]] = [
    # A change is for whatever it fits. Whether a clause needs these words is compared in test_significant.py.
    (r"\b(?:any|each|every|all)\b(?: of)?(?: one)?", "", "universal"),
    # Effects add up.
    (r"\balso\b|\bas well\b", "", "addition"),
    (r"\bonly (?=if|while|as|so|for|once|use|after|1\b|half|provided|this|on)", "", "a limit as it is without 'only'"),
    (r"\b(turn|battle|match|round|activation|use|once) (?:only|maximum|at most)\b", r"\1", "the same limit"),
    (r"\b(?:maximum|at most|only) (?=once|per)", "", "once is the most"),
    (r"\b(at\W+(?:the )?)once\b", r"\1", "'at once' says when"),
    (r"\bbefore (?=attacking|channeling)", "when ", "an effect of an attack is in force when it begins"),
    (r"\bonce (?=only)", "", "one use once only"),
    (r"\bone of (?=a\b|its|their|his|her|your|failed)", "", "one failed Test is a failed Test"),
    (r"\bafter\b|\bbefore\b(?= (?:its|the|this|it|she|he)\b)|\bwhen(?:ever)?\b", "when", "a moment that is complete"),
    (r"\bup to (?=\d|d\d|the value|half|six|[a-z]+ points)", "", "points that can be removed, and Moves, have a limit"),
    (r"\b(?:other|another|an)\b", "", "friends are others than the bearer"),
    (r"\bthis (?=turn|activation|attack|move|lasts|action)", "that ", "the turn of the sentence"),
    (r"\b(?:it|they|that enemy)\b", "it", "one of them, by another word"),
    (r"\b(?:and|or)\b", "and", "faces, and friends or foes"),
    (r"\b(?:it )?instead(?= (?:stays|it stays)|[.,]|$)", "", "the last Wound is kept instead"),
    (r"\bmaximum (?=range|wounds)", "", "the Range and the Wounds of a profile are its most"),
    (r"\bagain\b(?=[.,]|$)", "", "a die that is thrown is thrown again"),
    (r"\bone of (?=the|its|your)", "", "one of its Activations, once"),
    (r"\bboth (?=[\w ]+ and )", "", "both of the two that 'and' joins"),
]  # fmt: skip


def normal(text: str) -> str:
    for pattern, replacement, _ in SAME:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return re.sub(r"\W+", " ", text).strip().lower()


def warniris() -> tuple[list[str], Read]:
    rows = yaml.safe_load((TESTS / "warniris" / "authors.yaml").read_text(encoding="utf-8"))
    effects = random.Random(5).sample(SmallEffects(), 40)
    texts = [row["sentence"] for row in rows] + [describe(on("ability", each)) for each in effects]
    thing = Ability(name="X", text="X")
    return texts, lambda text: read_text(thing, text)


def warcry() -> tuple[list[str], Read]:
    rows = [
        row
        for name in ("authors", "homebrew")
        for row in yaml.safe_load((TESTS / "warcry" / f"{name}.yaml").read_text(encoding="utf-8"))
    ]
    cards = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((KITS / "warcry").glob("*.yaml"))]
    space = ChangeSpace(5)
    made = [" ".join(sentences(space.rule())) for _ in range(40)]
    return [row["sentence"] for row in rows] + [*texts_in(cards)] + made, lambda text: read_sentences(text, "")


def texts_in(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (value for key, value in data.items() if key == "text" and isinstance(value, str))
        data = list(data.values())
    if isinstance(data, list):
        for each in data:
            yield from texts_in(each)


def meaning(readings: tuple[SentenceReading, ...]) -> list[Any] | None:
    """Return what the sentences of a text mean, or None if one was not read."""
    if not readings or any(each.value is None for each in readings):
        return None
    flat: list[Any] = []
    for each in readings:
        flat += each.value if type(each.value) is tuple else [each.value]
    return flat or None


@pytest.mark.fuzz
@pytest.mark.parametrize("game", [warniris, warcry])
def test_no_near_miss_is_read_as_the_sentence(game: Callable[[], tuple[list[str], Read]]) -> None:
    texts, read = game()
    known = {text: found for text in texts if (found := meaning(read(text)))}
    assert len(known) > 60
    pairs = [(text, miss) for text in known for miss in near_misses(text)]
    assert len(pairs) > 10 * TRIES
    tries = min(len(pairs), number_of_cases(TRIES // 2, 1))
    pairs = [each for each in random.Random(5).sample(pairs, tries) if normal(each[0]) != normal(each[1])]
    assert len(pairs) > tries // 2
    assert [miss for text, miss in pairs if meaning(read(miss)) == known[text]] == []
