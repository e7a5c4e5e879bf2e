"""Declared words: what lacks a declaration, a clause, or a place in a table complains."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from cardgen.game import Flag, Model, Vocabulary, Word
from cardgen.referee.trial import Competitor, card_of_kind
from cardgen.rulesets.warcry.battle import performance
from cardgen.rulesets.warcry.battle.performance import is_decided, known_state
from cardgen.rulesets.warcry.cards import Blessing
from cardgen.rulesets.warcry.changes import DEEDS, Change
from cardgen.rulesets.warcry.effective import is_declared, is_simple, needs_players
from cardgen.rulesets.warcry.referee import duel
from cardgen.rulesets.warcry.referee.attack import is_applied
from cardgen.rulesets.warcry.selections import CONDITION_STATES, GROUP_STATES, Condition, Group, Moment
from cardgen.rulesets.warcry.wording.values import GRAMMAR
from cardgen.rulesets.warcry.words import (
    BANS,
    EVENTS,
    GROUP,
    ONE,
    SPANS,
    Circumstance,
    Deed,
    Key,
    Known,
    Phrase,
    Position,
)
from tests.rulesets.warcry.battle.players import table_of
from tests.rulesets.warcry.referee.fights import fighter, terms

STATES = [name for name in Condition.model_fields if name != "of"]
MODELS: list[tuple[type[Model], type[Word], Collection[str]]] = [
    (Change, Key, Change.model_fields), (Group, Circumstance, Group.model_fields), (Condition, Circumstance, STATES),
]  # fmt: skip


def meanings(symbol: str, key: str) -> set[Any]:
    """Return the values of a key in the meanings of all clauses of a symbol."""
    return {item.value for clause in GRAMMAR.table.clauses[symbol] for item in clause.meaning.items if item.key == key}


def keys_said(symbol: str) -> set[str]:
    return {item.key for clause in GRAMMAR.table.clauses[symbol] for item in clause.meaning.items}


def said(phrase: Phrase) -> set[str]:
    """Return the deeds that the clauses of a phrase are about."""
    if phrase is Phrase.NUMBER:
        return meanings("stat", "") | meanings("hits", "")
    return keys_said("action") if phrase is Phrase.ACTION else meanings("part", "kind")


# Sorts of words, and those that have clauses.
SAID: dict[str, tuple[Mapping[str, Word], set[str]]] = {
    "moments": (EVENTS, meanings("moment", "event")),
    "bans": (BANS, meanings("ban", "")),
    "durations": (SPANS, meanings("part", "for") & {*SPANS}),
    "states": (CONDITION_STATES, (keys_said("state") | keys_said("states")) & {*CONDITION_STATES}),
    **{
        f"deeds that are written as {phrase.name}": (
            {name: deed for name, deed in DEEDS.items() if deed.says is phrase},
            {name for name in said(phrase) if name in DEEDS and DEEDS[name].says is phrase},
        )
        for phrase in Phrase
    },
    "states of groups": (
        {name: state for name, state in GROUP_STATES.items() if state.position is Position.AFTER},
        {name for name in keys_said("post") if name in GROUP_STATES} | {"runemarks", "any_runemarks"},
    ),
}


@pytest.mark.parametrize("sort", SAID)
def test_every_declared_word_has_a_clause(sort: str) -> None:
    declared, clauses = SAID[sort]
    assert declared
    assert declared.keys() - clauses == set()


@pytest.mark.parametrize("sort", ["moments", "bans"])
def test_every_clause_has_a_declared_word(sort: str) -> None:
    declared, clauses = SAID[sort]
    for name in declared:
        assert clauses - (declared.keys() - {name}) == {name}


@pytest.mark.parametrize(("model", "sort", "keys"), MODELS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_key_without_a_declaration_is_refused(model: type[Model], sort: type[Word], keys: Collection[str]) -> None:
    assert keys
    for name in keys:
        fields = {**model.model_fields, name: FieldInfo(annotation=bool, default=False)}
        bare: Any = SimpleNamespace(__name__=model.__name__, model_fields=fields)
        with pytest.raises(TypeError, match=rf"{model.__name__}\.{name} must declare one"):
            Vocabulary.of(bare, sort, keys)


@pytest.mark.parametrize(
    ("states", "known", "table"),
    [(GROUP_STATES, GROUP, performance._OF_GROUPS), (CONDITION_STATES, ONE, performance._OF_ONE)],
    ids=["groups", "conditions"],
)
def test_what_the_tracker_knows_is_in_its_tables(
    states: Vocabulary[Circumstance], known: Known, table: Mapping[str, Any]
) -> None:
    def is_known(state: Circumstance) -> bool:
        return bool(state.known & known)

    others = {*states.where(is_known)} - table.keys()
    for name in table:
        with pytest.raises(TypeError, match=name):
            states.require_all({*table, *others} - {name}, is_known)


def test_what_is_required_of_a_change_and_a_condition_are_its_deeds_and_states() -> None:
    for name in DEEDS:
        with pytest.raises(TypeError, match=name):
            DEEDS.require_all([each for each in Change.FIELDS if each in DEEDS and each != name])


class Wet(Change):
    """A change with a key that nobody has declared."""

    swims: Flag = False


class Soaked(Group):
    """A group with a state that nobody has declared."""

    wet: Flag = False


class Soaking(Condition):
    """A condition with a state that nobody has declared."""

    wet: Flag = False


WET = Wet(move=1, swims=True)


def test_a_deed_without_a_clause_is_not_half_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = import_module("cardgen.rulesets.warcry.wording.sentences")
    for deed in DEEDS.values():
        if deed.says in (Phrase.VALUE, Phrase.STATE, Phrase.FATE, Phrase.WARBAND):
            monkeypatch.setattr(writer, "_IN_ORDER", [replace(deed, name="swims")])
            with pytest.raises(LookupError):
                list(writer.sentences_of(WET))


def test_a_deed_is_applied_by_the_players_unless_something_else_is_declared() -> None:
    deed = Deed("swims", says=Phrase.STATE)
    assert not deed.facts
    assert deed.place > max(each.place for each in DEEDS.values())


def test_a_key_that_is_not_declared_counts_as_relevant_to_everything() -> None:
    plain = Change(move=1)
    assert is_declared(plain)
    assert is_simple(plain)
    assert is_applied(plain)
    assert not needs_players(plain)
    assert not is_declared(WET)
    assert not is_simple(WET)
    assert not is_applied(WET)
    assert needs_players(WET)


@pytest.mark.parametrize("key", ["condition", "unless", "during", "only_if", "when", "reacts", "of", "pick"])
def test_a_state_or_moment_that_is_not_declared_counts_too(key: str) -> None:
    moment = Moment.model_construct(event="dives")
    group, state = Soaked(side="enemy", wet=True), Soaking(wet=True, cover=True)
    values = {"when": moment, "reacts": moment, "of": group, "pick": group}
    assert not is_declared(Change(move=1).model_copy(update={key: values.get(key, state)}))


def test_durations_and_bans_that_are_not_declared_count_too() -> None:
    assert not is_declared(Change(move=1).model_copy(update={"span": "tide"}))
    assert not is_declared(Change(move=1).model_copy(update={"cannot": ("swim",)}))


def test_the_tracker_asks_for_a_state_that_is_not_declared_as_known() -> None:
    table = table_of()
    who = table.combatants[0]
    assert known_state(table, who, Condition(unhurt=True)) is True
    assert known_state(table, who, Condition(cover=True)) is None
    assert is_decided(Group(side="enemy", unhurt=True))
    assert not is_decided(Group(side="enemy", cover=True))


def test_no_race_is_run_with_a_change_that_is_not_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    blessing = {"kind": "blessing", "name": "Tide", "points": {"regular": 1, "elite": 2}, "changes": [{"toughness": 1}]}
    crowd = [Competitor(fighter("Asha")), Competitor(fighter("Bran"), blessing)]
    raced: list[Any] = []
    monkeypatch.setattr(duel, "crowd_scores", lambda *given, **_: raced.append(given))
    duel.crowd(crowd, terms())
    assert raced
    raced.clear()
    wet = card_of_kind(blessing, Blessing).model_copy(update={"changes": (WET,)})
    monkeypatch.setattr(duel, "optional_card", lambda data, kind: wet if data else None)
    duel.crowd(crowd, terms())
    assert not raced


def test_of_several_keys_that_do_not_go_with_an_event_the_first_one_is_named() -> None:
    """The order of a set would differ from run to run."""
    with pytest.raises(ValidationError, match="'within' does not go with the event 'next-round'"):
        Moment.model_validate({"event": "next-round", "first": True, "by_attack": True, "deadly": True, "within": 3})
