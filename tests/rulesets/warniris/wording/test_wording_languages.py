"""Sentences in other languages: complete, unmixed, and as different as the effects; what is missing is in English."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.deck.deck import require_game
from cardgen.grammar.grammar import Grammar
from cardgen.rulesets.warniris.cards import Earn, Mission
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.wording import effects as wording
from cardgen.rulesets.warniris.wording.clauses import SENTENCES
from cardgen.rulesets.warniris.wording.effects import describe, missing_clauses, sentences
from tests.rulesets.warniris.random_effects import random_effect
from tests.rulesets.warniris.wording.test_wording import (
    EARN,
    EARNS,
    EFFECTS,
    THINGS,
    Data,
    SmallEffects,
    is_whole,
    neighbours,
    on,
    single_conditions,
    single_deeds,
)

LANGUAGES = ("de",)
TABLES = Path(wording.__file__).parent
WORD = re.compile(r"[^\W\d_]+")
each_language = pytest.mark.parametrize("language", LANGUAGES)


def words_of(grammar: Grammar) -> set[str]:
    """Return the words of all forms that a grammar writes, and of the names in its slots."""
    forms = (form.text for clauses in grammar._written_clauses.values() for each in clauses for form in each.forms)
    return {word.lower() for form in forms for word in WORD.findall(re.sub(r"\{[^{}]*\}", " ", form))}


def foreign_words(language: str) -> set[str]:
    own = SENTENCES.in_language(language)
    assert own is not None
    return words_of(SENTENCES) - words_of(own)


def test_languages_are_those_with_tables() -> None:
    assert {path.suffixes[0][1:] for path in TABLES.glob("clauses.*.txt")} == set(LANGUAGES)
    assert SENTENCES.in_language("fr") is None
    assert missing_clauses(on("relic", {"bearer": {"mind": 1}}), "fr") is None
    assert SENTENCES.in_language("de-AT") is not None


@each_language
def test_every_clause_has_words_in_each_language(language: str) -> None:
    assert SENTENCES.unwritten(language) == []
    assert len(SENTENCES.unwritten("fr")) > 300


@each_language
def test_random_effects_are_written_in_one_language(language: str) -> None:
    dice, foreign = random.Random(language), foreign_words(language)
    assert {"bearer", "the", "until"} <= foreign
    for number in range(400):
        effect = random_effect(dice)
        thing = on(("once", "relic", "ability", "weapon")[number % 4], effect)
        assert missing_clauses(thing, language) == ()
        for text in sentences(thing, language):
            said = text.replace("*", "")
            assert not foreign & {word.lower() for word in WORD.findall(said)}, said
            assert not set("{}~¸^\x1e\x1f") & set(said)
            assert not re.search(r"  | [,.;:)]|,,|[,:;]\.|: ,", said), said
            assert said[0].isupper()


@each_language
@settings(max_examples=60, deadline=None)
@given(THINGS, neighbours())
def test_effects_that_differ_in_one_field_read_differently(language: str, thing: str, pair: tuple[Data, Data]) -> None:
    if all(map(is_whole, pair)):
        one, other = (on(thing, effect) for effect in pair)
        assert (one.effects == other.effects) == (describe(one, language) == describe(other, language))


@each_language
@settings(max_examples=30, deadline=None)
@given(THINGS, EFFECTS, EFFECTS)
def test_any_two_different_effects_read_differently(language: str, thing: str, first: Data, second: Data) -> None:
    one, other = on(thing, first), on(thing, second)
    assert (one.effects == other.effects) == (describe(one, language) == describe(other, language))


@each_language
@pytest.mark.parametrize("thing", ["relic", "once", "weapon"])
def test_no_two_of_many_small_effects_read_alike(language: str, thing: str) -> None:
    every, known = SmallEffects(), dict[tuple[str, ...], Any]()
    for effect in random.Random(thing).sample(every, len(every) // 128):
        made = on(thing, effect)
        assert known.setdefault(sentences(made, language), made.effects) == made.effects


@each_language
@pytest.mark.share(3)
@pytest.mark.parametrize("when", ["always", "attacked", "damaged", "eliminated"])
@pytest.mark.parametrize("whom", Effect.FIELDS)
def test_every_value_leaves_its_trace(language: str, when: str, whom: str) -> None:
    effects = [{"when": when, whom: deeds} for deeds in single_deeds()]
    effects += [{"when": when, "if": condition, whom: {"mind": 1, "heal": 1}} for condition in single_conditions()]
    assert len({describe(on("relic", effect), language) for effect in effects}) == len(effects)


@each_language
@settings(max_examples=100, deadline=None)
@given(EARNS, st.data())
def test_missions_that_differ_read_differently(language: str, earn: Data, data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(EARN)))
    near = {**earn, field: data.draw(EARN[field])}
    one, other = (Mission.model_validate({"name": "X", "vp": 1, "earn": each}) for each in (earn, near))
    assert (one.earn == other.earn) == (describe(one, language) == describe(other, language))


@each_language
def test_missions_are_written_in_one_language(language: str) -> None:
    foreign = foreign_words(language)
    for event in get_args(Earn.model_fields["event"].annotation):
        for more in ({}, {"by": "one"}, {"count": 3}, {"count": 3, "of": "minion", "different": True, "in": "turn"}):
            mission = Mission.model_validate({"name": "X", "vp": 1, "earn": {"event": event, **more}})
            (text,) = sentences(mission, language)
            assert not foreign & {word.lower() for word in WORD.findall(text)}, text
            assert missing_clauses(mission, language) == ()


SAID = [
    ("relic", {"when": "damaged", "if": {"roll": [1]}, "bearer": {"ignore": 1}},
     "Für jeden Schadenspunkt, den der Träger erleidet, wirfst du 1W6. Bei 1 ignoriert er diesen Punkt."),
    ("relic", {"when": "attacked", "if": {"against": "minion", "weapon": "CW"}, "attacker": {"mind": -1}},
     "Jeder Scherge, der den Träger mit einer NW angreift, erhält dabei −1 Verstand."),
    ("once", {"when": "activation_start", "for": "turn", "bearer": {"mind": 1, "heal": 2}},
     "Zu Beginn einer Aktivierung des Trägers darfst du dies benutzen: Der Träger erhält bis Zugende "
     "2 Wunden zurück und erhält +1 Verstand."),
    ("ability", {"when": "turn_start", "if": {"range_within": 5, "unhurt": True}, "enemies": {"reactions": "none"}},
     "Zu Beginn jedes Zuges, falls dieser Charakter keine Wunden verloren hat, können Gegner innerhalb von 5 cm nicht "
     "reagieren."),
    ("weapon", {"when": "hit", "target": {"move": 3}},
     "Wenn sie trifft, darfst du das Ziel um bis zu 3 cm ohne Tests verschieben."),
    ("relic", {"friends": {"mind": 1}, "enemies": {"body": -1}},
     "Verbündete haben +1 Verstand; Gegner haben −1 Körper."),
]  # fmt: skip


@pytest.mark.parametrize(("thing", "effect", "said"), SAID)
def test_german_has_its_cases_and_its_order_of_words(thing: str, effect: Data, said: str) -> None:
    (text,) = sentences(on(thing, effect), "de")
    assert text.replace("\N{NO-BREAK SPACE}", " ") == said


def without(clause: str, tmp_path: Path) -> Grammar:
    """Return German without a clause."""
    text = (TABLES / "clauses.de.txt").read_text(encoding="utf-8")
    head, found, tail = text.partition(clause)
    assert found
    file = tmp_path / "clauses.de.txt"
    file.write_text(head + tail[tail.index("\n:") + 1 :], encoding="utf-8")
    return Grammar(file)


def test_a_sentence_with_a_missing_clause_is_whole_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SENTENCES._languages, "de", without(": swap=bearer", tmp_path))
    wording.effect_sentence.cache_clear()
    effects = [{"when": "hit", "target": {"swap": "bearer"}}, {"when": "hit", "target": {"deal": 1}}]
    relic = on("relic", effects[0]).model_copy(
        update={"effects": tuple(Effect.model_validate(each) for each in effects)}
    )
    assert SENTENCES.unwritten("de") == ["may swap places with {bearer}"]
    assert missing_clauses(relic, "de") == ("may swap places with …",)
    english, german = sentences(relic, "de")
    assert english == sentences(relic)[0] == "When the bearer hits, the target may swap places with the bearer."
    assert german == "Wenn der Träger trifft, erleidet das Ziel 1\N{NO-BREAK SPACE}Schaden."
    game = require_game("warniris")
    assert not game.writes(relic, "de")
    assert game.writes(on("relic", effects[1]), "de")


@each_language
def test_glossary_and_rulings_are_complete(language: str) -> None:
    game = require_game("warniris")
    own = game.in_language(language)
    assert [term.bold for term in own.terms] == [term.bold for term in game.terms]
    assert not {term.definition for term in own.terms} & {term.definition for term in game.terms}
    for other, english in zip(own.rulings, game.rulings, strict=True):
        assert (other.id, [*other.settings]) == (english.id, [*english.settings])
        assert other.question != english.question
    assert own.once_label(on("once", {"bearer": {"mind": 1}})) == "Einmal pro Schlacht"
    assert (own.abbreviation("type CW"), game.abbreviation("type CW")) == ("NW", "CW")
