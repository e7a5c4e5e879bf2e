"""What nobody has declared counts as relevant to everything: no odds are shared, bounded, or raced for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel, create_model

from cardgen.referee.odds import odds
from cardgen.referee.trial import Competitor
from cardgen.rulesets.vocabulary import Vocabulary, Word
from cardgen.rulesets.warniris.effect import CONDITIONS, DEEDS, Effect
from cardgen.rulesets.warniris.referee import counter_bounds, modifiers, race
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.referee.situations import build_miniatures
from cardgen.rulesets.warniris.trials import TRIALS
from cardgen.rulesets.warniris.words import (
    EVERYTHING,
    MOMENTS,
    SPANS,
    Circumstance,
    Deed,
    Ending,
    Meaning,
    Moment,
    Phrase,
)
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, terms

M = TypeVar("M", bound=BaseModel)
RELIC = {"kind": "relic", "name": "Ring", "effects": [{"when": "always", "bearer": {"mind": 1}}]}
ABILITY = {"name": "Stern", "effects": [{"when": "attacked", "bearer": {"body": 1}}]}


def fighters() -> list[Miniature]:
    """Return two fighters that differ in what does not matter, and one that differs in Wounds."""
    cards = [
        card(name, f"M3 B3 S3 W{wounds}", "Axe: CW R1 P1 D2", abilities=[ABILITY], base=base)
        for name, wounds, base in (("Ash", 3, 32), ("Elm", 3, 40), ("Oak", 2, 32))
    ]
    return [*build_miniatures([(each, RELIC) for each in cards])]


def changed(model: M, **values: Any) -> M:
    """Return a model with other values, also of keys that it does not have."""
    more = {key: (Any, None) for key in values if key not in type(model).model_fields}
    made = create_model(type(model).__name__, __base__=type(model), **more).model_construct()  # type: ignore[call-overload]
    made.__dict__ |= {name: getattr(model, name) for name in type(model).model_fields} | values
    return made  # type: ignore[no-any-return]


def of_card(miniature: Miniature, **values: Any) -> Miniature:
    return replace(miniature, card=changed(miniature.card, **values))


def of_relic(miniature: Miniature, **values: Any) -> Miniature:
    assert miniature.relic
    return replace(miniature, relic=changed(miniature.relic, **values))


def of_effect(miniature: Miniature, **values: Any) -> Miniature:
    assert miniature.relic
    return of_relic(miniature, effects=(changed(miniature.relic.effects[0], **values),))


def of_deeds(miniature: Miniature, **values: Any) -> Miniature:
    assert miniature.relic
    assert miniature.relic.effects[0].bearer
    return of_effect(miniature, bearer=changed(miniature.relic.effects[0].bearer, **values))


def of_condition(miniature: Miniature, **values: Any) -> Miniature:
    assert miniature.relic
    return of_effect(miniature, condition=changed(miniature.relic.effects[0].condition, **values))


def of_weapon(miniature: Miniature, **values: Any) -> Miniature:
    return of_card(miniature, weapons=(changed(miniature.card.weapons[0], **values),))


def of_lent_weapon(miniature: Miniature, **values: Any) -> Miniature:
    return of_deeds(miniature, weapon=changed(miniature.weapons[0], **values))


def of_stats(miniature: Miniature, **values: Any) -> Miniature:
    return of_card(miniature, stats=changed(miniature.card.stats, **values))


def of_ability(miniature: Miniature, **values: Any) -> Miniature:
    return of_card(miniature, abilities=(changed(miniature.card.abilities[0], **values),))  # type: ignore[union-attr]


MADE_UP: list[tuple[Callable[..., Miniature], dict[str, Any]]] = [
    *((of, {"fury": 1}) for of in (of_card, of_relic, of_effect, of_deeds, of_condition)),
    *((of, {"fury": 1}) for of in (of_weapon, of_lent_weapon, of_stats, of_ability)),
    (of_effect, {"when": "midnight"}),
    (of_effect, {"when": "attacked", "span": "battle", "during": "midnight", "cumulative": False}),
    (of_effect, {"when": "attacked", "span": "hour", "cumulative": False}),
]
made_up = pytest.mark.parametrize(("of", "values"), MADE_UP, ids=[f"{of.__name__} {each}" for of, each in MADE_UP])


def test_what_is_declared_is_shared_bounded_and_raced(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = fighters()
    game = game_of(*ours[:2])
    assert game.is_declared
    assert counter_bounds.of_attack(game, AttackAction(0, 1, "Axe"))
    assert scores_of(ours, monkeypatch) == (0, 0, 1)


@pytest.mark.share(3)
@made_up
def test_what_is_made_up_is_neither_shared_nor_bounded_nor_raced(
    of: Callable[..., Miniature], values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = fighters()
    ours[2] = of(ours[2], **values)
    assert [each.is_declared for each in ours] == [True, True, False]
    assert_is_slow(game_of(ours[0], ours[2]))
    monkeypatch.setattr(race.Races, "assault", None)
    monkeypatch.setattr(race, "_smallest_duel", None)
    assert scores_of(ours, monkeypatch) == (0, 1, 2)


@pytest.mark.parametrize(
    ("words", "sort", "name", "effect"),
    [
        (CONDITIONS, Circumstance, "unhurt", {"if": {"unhurt": True}, "bearer": {"mind": 1}}),
        (MOMENTS, Moment, "moving", {"when": "moving", "bearer": {"mind": 1}}),
        (MOMENTS, Moment, "struck", {"when": "attacked", "for": "turn", "while": "struck", "bearer": {"mind": 1}}),
        (SPANS, Ending, "next-turn", {"when": "attacked", "for": "next-turn", "bearer": {"mind": 1}}),
        (DEEDS, Deed, "mind", {"bearer": {"mind": 1}}),
    ],
    ids=["condition", "moment", "moment to apply", "duration", "deed"],
)
def test_a_word_that_does_not_say_what_it_means_to_odds_means_everything(
    words: Vocabulary[Any], sort: Any, name: str, effect: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """New words are slow before they are fast, and never wrong."""
    assert not Effect.model_validate(effect).meaning & Meaning.UNDECLARED
    declared = {field.name: getattr(words[name], field.name) for field in fields(Word)}
    vague = sort(**declared, **({"says": Phrase.RULE} if sort is Deed else {}))
    monkeypatch.setitem(words._words, name, vague)
    assert Effect.model_validate(effect).meaning is EVERYTHING


class GameWithMorale(Game):
    """A game that counts something more."""

    def initial_state(self, wounds: Any = ()) -> State:
        state = super().initial_state(wounds)
        return state._replace(counters=(*state.counters, 3))


def test_a_state_that_nothing_names_is_looked_at_by_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, _ = fighters()
    game = GameWithMorale((one, other), (0, 1), terms().rulings, terms().policy)
    assert_is_slow(game)
    fight = Duel(game, turns=1)
    assert fight.odds(0) == odds(Duel(game_of(one, other), turns=1).play, 0)
    monkeypatch.setattr(race, "Game", GameWithMorale)
    assert scores_of(fighters(), monkeypatch) == (0, 1, 2)


def assert_is_slow(game: Game) -> None:
    """Check that each step sees the whole state, and that attacks are chosen and numbers computed for each one."""
    state = game.initial_state()
    hurt = state.change_counter(0, -1)
    assert not game.is_declared
    assert not game.has_fixed_weapons
    assert game.wound_key(state) != game.wound_key(hurt)
    assert counter_bounds.of_attack(game, AttackAction(0, 1, "Axe")) == ()
    fight = Duel(game)
    assert {transition.bounds for step in fight.steps(0) for transition in step.transitions} == {()}
    names = [name for name, _ in fight.events(0)]
    assert {*names} == {"dawn", "start", "action", "end", "dusk", "last dusk"}


def test_a_made_up_key_may_ask_for_all_wounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has fury deals 1 more to a target with an odd number of Wounds."""
    usual = modifiers.attack_damage

    def attack_damage(game: Game, state: State, attack: AttackAction) -> int:
        effects = game.miniatures[attack.attacker].effects
        has_fury = any(getattr(deeds, "fury", 0) for effect in effects for _, deeds in effect.deeds)
        return usual(game, state, attack) + (has_fury and state.wounds(attack.target) % 2)

    monkeypatch.setattr(modifiers, "attack_damage", attack_damage)
    ours = fighters()
    plain = Duel(game_of(*ours[:2]), turns=1).odds(0)
    ours[0] = of_deeds(ours[0], fury=1)
    furious = Duel(game_of(*ours[:2]), turns=1)
    assert furious.odds(0) == odds(Duel(game_of(*ours[:2]), turns=1).play, 0) != plain
    assert scores_of(ours, monkeypatch) == (0, 1, 2)


def game_of(*miniatures: Miniature) -> Game:
    return Game(miniatures, (0, 1), terms().rulings, terms().policy)


def scores_of(miniatures: list[Miniature], monkeypatch: pytest.MonkeyPatch) -> tuple[int, ...]:
    """Return the classes of a crowd, whose scores are those of single duels."""
    monkeypatch.setattr(race, "_miniatures", lambda _: tuple(miniatures))
    competitors = [Competitor({"name": each.name}) for each in miniatures]
    assert_same_scores(TRIALS, competitors, terms())
    assert TRIALS.crowd
    return TRIALS.crowd(competitors, terms()).classes
