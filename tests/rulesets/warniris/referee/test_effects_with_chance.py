"""Dice of Wounds and Damage, Tests as conditions, costs, and later ends, with odds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import State
from cardgen.rulesets.warniris.referee.modifiers import attack_range, hit_context, hit_test, may_react, take_test
from tests.rulesets.warniris.referee.fights import card, table
from tests.rulesets.warniris.referee.test_effects_of_sentences import GUN, PLAIN, after_moment, gifted

SIXTH = Fraction(1, 6)


def at_start(**effect: Any) -> dict[str, Any]:
    return {"when": "turn_start", **effect}


def test_a_die_of_wounds() -> None:
    """A D3 shows each number on two faces; what is more than the printed Wounds is lost."""
    game = table(gifted(at_start(bearer={"heal_die": "D3"})), PLAIN)
    state = game.initial_state().change_counter(0, -2)
    assert after_moment(game, "turn_start", state) == {(3, 4): Fraction(1, 3), (4, 4): Fraction(2, 3)}
    game = table(gifted(at_start(bearer={"heal": 1, "heal_die": "D3"})), PLAIN)
    assert after_moment(game, "turn_start", state) == {(4, 4): 1}


def test_a_die_of_damage() -> None:
    game = table(gifted(at_start(enemies={"deal_die": "D6"})), PLAIN)
    expected = {(4, 3): SIXTH, (4, 2): SIXTH, (4, 1): SIXTH, (4, 0): Fraction(1, 2)}
    assert after_moment(game, "turn_start") == expected


def test_a_test_lets_an_effect_start() -> None:
    """Body 3 passes in half of the cases; a die before it shows a 6 in one of 6."""
    state_of = {"bearer": {"heal": 1}}
    for condition, chance in (({"test": "body"}, Fraction(1, 2)), ({"roll": [6], "test": "body"}, Fraction(1, 12))):
        game = table(gifted(at_start(**{"if": condition}, **state_of)), PLAIN)
        found = after_moment(game, "turn_start", game.initial_state().change_counter(0, -1))
        assert found == {(4, 4): chance, (3, 4): 1 - chance}


def test_a_test_instead_of_the_last_wound() -> None:
    """M5 hits in 5 of 6, B1 is wounded in 5 of 6, and Spirit 3 saves from half of that."""
    last = {"when": "damaged", "if": {"wounds_at_most": 1, "test": "spirit"}, "bearer": {"ignore": 30}}
    victim = card("B", "M3 B1 S3 W1", GUN, abilities=[{"name": "Last", "once": True, "effects": [last]}])
    game = table(card("A", "M5 B3 S3 W2", GUN), victim)
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Gun", 1))
    assert found.chance(lambda state: not state.stands(1)) == Fraction(25, 72)


def test_what_follows_a_resisted_attack_and_a_miss() -> None:
    """M5 hits in 5 of 6; B3 resists in half of the hits, and then a 5 or 6 takes a Wound."""
    effects = [
        {"when": "resisted", "if": {"roll": [5, 6]}, "target": {"deal": 1}},
        {"when": "missing", "bearer": {"deal": 1}},
    ]
    game = table(gifted(*effects, lines=("Pea: RW R9 P0 D2",)), card("B", "M3 B3 S3 W4"))
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Pea", 5))
    assert dict(found.map(lambda after: (after.wounds(0), after.wounds(1)))) == {
        (3, 4): SIXTH, (4, 2): Fraction(5, 12), (4, 3): Fraction(5, 36), (4, 4): Fraction(10, 36),
    }  # fmt: skip


def mind_needed(game: Any, state: Any) -> int:
    return hit_test(game, state, AttackAction(1, 0, "Gun", 5)).need


def test_until_the_next_activation() -> None:
    game = table(gifted(at_start(**{"for": "next-activation"}, enemies={"mind": -2})), PLAIN)
    (state,) = odds(start_effects, game, game.initial_state(), "turn_start", (0,)).weights
    for later in (state, state.end_window("turn"), state.end_window("turn").begin_activation(1)):
        assert mind_needed(game, later) == 1
    assert mind_needed(game, state.end_window("turn").begin_activation(0)) == 3


def test_until_the_end_of_the_next_turn() -> None:
    game = table(gifted(at_start(**{"for": "next-turn"}, enemies={"mind": -2})), PLAIN)
    (state,) = odds(start_effects, game, game.initial_state(), "turn_start", (0,)).weights
    assert mind_needed(game, state.end_window("activation").end_window("turn")) == 1
    assert mind_needed(game, state.end_window("turn").end_window("turn")) == 3


def test_a_duel_until_the_next_activation() -> None:
    """B hits A with M1 in the first turn, as A's spell is in force; in the second one, A has used it up."""
    spell = {"when": "activation_end", "for": "next-activation", "enemies": {"mind": -4}}
    attacker = card("A", "M1 B1 S1 W30", "Stick: CW R1 D0", abilities=[{"name": "Hex", "effects": [spell]}])
    victim = card("B", "M5 B5 S5 W30", "Blade: CW R1 P9 D1")
    blow = Fraction(5, 6)
    for who_first, weak in ((0, 2), (1, 0)):
        game = table(attacker, victim, records=False, policy={"reactions": "never"})
        found = Duel(game, 1).final_states(who_first).mean(lambda state: 30 - state[1][0])
        assert found == (weak * SIXTH + (2 - weak) * Fraction(5, 6)) * blow


@pytest.mark.parametrize(("cumulative", "need"), [(True, 1), (False, 2)])
def test_an_effect_that_does_not_add_up(cumulative: bool, need: int) -> None:
    effect = at_start(**{"for": "battle"}, enemies={"mind": -1}, cumulative=cumulative)
    game = table(gifted(effect), PLAIN)
    state = game.initial_state()
    for _ in range(3):
        (state,) = odds(start_effects, game, state, "turn_start", (0,)).weights
    assert mind_needed(game, state) == need


@pytest.mark.parametrize(("answer", "left", "need"), [("yes", 3, 5), ("no", 4, 3)])
def test_a_cost_in_wounds(answer: str, left: int, need: int) -> None:
    game = table(
        gifted(at_start(**{"for": "turn"}, cost=1, bearer={"mind": 2}), stats="M3 B3 S3 W4"), PLAIN, asked=True
    )
    asked: list[Any] = []

    def reply(path: str, question: Any) -> Any:
        asked.append(question.what)
        return answer

    after = play(start_effects(game, game.initial_state(), "turn_start", (0,)), reply, list[Any]().append)
    assert asked == ["lose 1 for Gift"]
    assert after.wounds(0) == left
    assert hit_test(game, after, AttackAction(0, 1, "Gun", 5)).need == need


def test_nobody_pays_with_the_last_wound_or_unasked() -> None:
    effect = at_start(**{"for": "turn"}, cost=2, bearer={"mind": 2})
    game = table(gifted(effect), PLAIN, asked=True)
    state = game.initial_state().change_counter(0, -2)
    after = play(start_effects(game, state, "turn_start", (0,)), lambda *_: pytest.fail("asked"), list[Any]().append)
    assert after == state
    game = table(gifted(effect), PLAIN)
    assert after_moment(game, "turn_start") == {(4, 4): 1}


@pytest.mark.parametrize(("answer", "left", "hits"), [("yes", 3, True), ("no", 4, False)])
def test_a_reroll_may_cost_wounds(answer: str, left: int, hits: bool) -> None:
    game = table(gifted({"when": "attacking", "cost": 1, "bearer": {"reroll": "hit"}}), PLAIN, asked=True)
    asked: list[str] = []

    def reply(path: str, question: Any) -> Any:
        asked.append(question.what)
        return answer if question.what.startswith("lose") else 1 if question.what.endswith("again") else 6

    attack = AttackAction(0, 1, "Gun", 5)
    test, context = hit_test(game, game.initial_state(), attack), hit_context(attack)
    after, has_hit = play(take_test(game, game.initial_state(), test, 0, "hit", context), reply, list[Any]().append)
    assert asked.count("lose 1 for Gift") == 1
    assert (after.wounds(0), has_hit) == (left, hits)


@pytest.mark.parametrize("wounds", [1, 4])
def test_a_thing_for_once_is_kept_if_its_cost_is_not_paid(wounds: int) -> None:
    """The policy does not pay, and nobody pays with the last Wound."""
    paid = {"when": "attacking", "cost": 1, "bearer": {"reroll": "hit"}}, at_start(cost=1, bearer={"deal": 1})
    game = table(gifted(*paid, stats="M1 B3 S3 W4", once=True), PLAIN)
    state = game.initial_state().change_counter(0, wounds - 4)
    for after in odds(resolve_attack, game, state, AttackAction(0, 1, "Gun", 5)).weights:
        assert after.counters[-1] == 1
    assert after_moment(game, "turn_start", state) == {(wounds, 4): 1}


def test_what_costs_wounds_is_not_reckoned_with() -> None:
    """Nobody pays for a re-roll without being asked, and no Range counts before it is paid for."""
    paid = {"when": "attacking", "cost": 1}
    for deeds in ({"reroll": "hit"}, {"range": 10}):
        game = table(gifted({**paid, "bearer": deeds}, stats="M3 B3 S3 W4"), PLAIN)
        state, attack = game.initial_state(), AttackAction(0, 1, "Gun", 5)
        assert attack_range(game, state, attack) == 30
        found = odds(resolve_attack, game, state, attack)
        assert found.chance(lambda after: after.wounds(1) < 4) == Fraction(1, 2) * Fraction(5, 6)


def test_an_effect_that_adds_up_allows_one_more_reaction() -> None:
    more = {"when": "turn_start", "for": "battle", "bearer": {"reactions": "more"}}
    unused = {"when": "turn_end", "bearer": {"reactions": "more"}}
    game = table(gifted(more, unused), PLAIN)
    state, left = game.initial_state(), list[bool]()
    for _ in range(2):
        (state,) = odds(start_effects, game, state, "turn_start", (0,)).weights
    for _ in range(3):
        left.append(may_react(game, state, 0))
        state = state.change_counter(game.reaction_counter(0), -1)
    assert left == [True, True, False]


def test_one_more_reaction_to_another_enemy() -> None:
    for enemies, spare in ((1, 0), (2, 1)):
        others = [card(name, "M3 B3 S3 W4") for name in "BC"[:enemies]]
        game = table(gifted({"bearer": {"reactions": "more-others"}}), *others, sides=(0, 1, 1)[: enemies + 1])
        state = game.initial_state().change_counter(game.reaction_counter(0), -1)
        assert game.most_reactions[0] == game.REACTIONS_PER_TURN + spare
        assert may_react(game, state, 0) == bool(spare)


def test_any_failed_test_is_rerolled() -> None:
    """M3 hits in 1 - 1/4 of the cases with a re-roll."""
    game = table(gifted({"bearer": {"reroll": "any"}}, stats="M3 B3 S3 W4"), PLAIN)
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Gun", 5))
    assert found.chance(lambda state: state.wounds(1) < 4) == Fraction(3, 4) * Fraction(5, 6)


def test_what_happens_to_one_that_is_hit_and_in_some_turns() -> None:
    """M5 hits in 5 of 6."""
    victim = card("B", "M3 B5 S3 W4", abilities=[
        {"name": "Thorns", "effects": [{"when": "struck", "if": {"turns": [1]}, "attacker": {"deal": 1}}]},
    ])  # fmt: skip
    game = table(card("A", "M5 B3 S3 W4", "Pea: RW R9 P0 D1"), victim)
    state = game.initial_state()
    for turn, hurt in ((1, Fraction(5, 6)), (2, Fraction(0))):
        begun = State(state.mode._replace(turn=turn), state.counters)
        found = odds(resolve_attack, game, begun, AttackAction(0, 1, "Pea", 5))
        assert found.chance(lambda after: after.wounds(0) == 3) == hurt


def test_no_tests_for_those_in_between() -> None:
    between = card("C", "M3 B1 S3 W4")
    attack = AttackAction(0, 1, "Gun", 5, between=(2,))
    chances = []
    for when in ("moving", "attacking"):
        effect = {"when": when, "bearer": {"between": "ignored"}}
        game = table(gifted(effect, stats="M3 B3 S3 W4"), PLAIN, between, sides=(0, 1, 1))
        found = odds(resolve_attack, game, game.initial_state(), attack)
        chances.append(found.chance(lambda state: state.wounds(1) < 4))
    assert chances == [Fraction(1, 4) * Fraction(5, 6), Fraction(1, 2) * Fraction(5, 6)]


@pytest.mark.parametrize(("deeds", "said"), [
    ({"push": 3}, "Gift: B may be pushed up to 3 cm straight away from A"),
    ({"pull": 4}, "Gift: B may be pulled up to 4 cm straight toward A"),
    ({"swap": "bearer"}, "Gift: B may swap places with A"),
    ({"free_attack": "CW"}, "Gift: B may make a free Attack with a CW"),
    ({"free_attack": "P"}, "Gift: B may make a free Channel"),
    ({"free_attack": "any"}, "Gift: B may make a free Attack or Channel"),
])  # fmt: skip
def test_what_players_do_is_said(deeds: dict[str, Any], said: str) -> None:
    game = table(gifted(at_start(enemies=deeds)), PLAIN, asked=True)
    log: list[str] = []
    play(start_effects(game, game.initial_state(), "turn_start", (0,)), lambda *_: 0, lambda e: log.append(str(e)))
    assert any(said in line for line in log)


THIRD = Fraction(1, 3)
CURE = at_start(**{"if": {"roll": [1, 2]}, "bearer": {"heal": 1}})
CURSE = at_start(**{"if": {"same_roll": [5, 6]}, "enemies": {"deal": 1}})


def test_a_die_with_several_results() -> None:
    """Two faces heal, two hurt the enemy, and two do nothing; never do both happen."""
    game = table(gifted(CURE, CURSE), PLAIN)
    found = after_moment(game, "turn_start", game.initial_state().change_counter(0, -1))
    assert found == {(4, 4): THIRD, (3, 3): THIRD, (3, 4): THIRD}


def test_each_thing_has_a_die_of_its_own() -> None:
    things = [{"name": name, "effects": [effect]} for name, effect in (("Cure", CURE), ("Curse", CURSE))]
    game = table(card("A", "M5 B3 S3 W4", GUN, abilities=things), PLAIN)
    found = after_moment(game, "turn_start", game.initial_state().change_counter(0, -1))
    assert found == {(4, 4): THIRD, (3, 4): 2 * THIRD}


def test_all_results_of_a_thing_for_once_are_used_up_together() -> None:
    better = at_start(**{"if": {"same_roll": [4, 5, 6]}, "bearer": {"heal": 2}})
    game = table(gifted({**CURE, "if": {"roll": [1, 2, 3]}}, better, once=True), PLAIN)
    state = game.initial_state().change_counter(0, -3)
    assert after_moment(game, "turn_start", state) == {(2, 4): Fraction(1, 2), (3, 4): Fraction(1, 2)}
    for after in odds(start_effects, game, state, "turn_start", (0,)).weights:
        assert after_moment(game, "turn_start", after) == {(after.wounds(0), 4): 1}
        assert after.mode.face == 0


def test_an_end_of_the_next_activation_of_whom_it_concerns() -> None:
    """It outlasts the activation that goes on, and ends for each with its own next one."""
    effect = at_start(**{"for": "own-activation"}, bearer={"mind": -1}, enemies={"mind": -1})
    game = table(gifted(effect, stats="M4 B3 S3 W4"), PLAIN)
    [state] = odds(start_effects, game, game.initial_state(), "turn_start", (0,)).weights
    needs = []
    for after in (
        state,
        state.end_window("activation"),
        state.begin_activation(1),
        state.begin_activation(1).end_window("activation"),
        state.begin_activation(1).end_window("activation").begin_activation(0).end_window("activation"),
    ):
        attacks = AttackAction(0, 1, "Gun", 5), AttackAction(1, 0, "Gun", 5)
        needs.append(tuple(hit_test(game, after, attack).need for attack in attacks))
    assert needs == [(3, 2), (3, 2), (3, 2), (3, 3), (4, 3)]
