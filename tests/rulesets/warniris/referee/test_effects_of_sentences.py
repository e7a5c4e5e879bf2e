"""Effects that authors' sentences ask for, with odds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.referee.requests import Decision
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction, end_activation_marks, heal, log_move
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.effects import ask_auras, start_effects
from cardgen.rulesets.warniris.referee.measurements import objection
from cardgen.rulesets.warniris.referee.modifiers import (
    attack_damage,
    attack_range,
    hit_test,
    is_unanswerable,
    may_react,
    move_distance,
    resist_test,
)
from tests.rulesets.warniris.referee.fights import card, table

GUN, BLADE, BOLT = "Gun: RW R30 P5 D1", "Blade: CW R1 P5 D1", "Bolt: P R30 P5 D1"
PLAIN = card("B", "M3 B1 S3 W4", GUN)


def gifted(*effects: dict[str, Any], stats: str = "M5 B3 S3 W4", lines: tuple[str, ...] = (GUN,), **more: Any) -> Any:
    return card("A", stats, *lines, abilities=[{"name": "Gift", "effects": list(effects), **more}])


def after_moment(game: Any, moment: str, state: Any = None) -> dict[Any, Fraction]:
    """The odds of everybody's Wounds after a moment of the first miniature."""
    people = range(len(game.miniatures))
    found = odds(start_effects, game, state or game.initial_state(), moment, (0,))
    return dict(found.map(lambda after: tuple(after.wounds(who) for who in people)))


def test_a_test_saves_from_an_effect() -> None:
    """Body 2 withstands it in 2 cases of 6."""
    game = table(gifted({"when": "turn_start", "enemies": {"deal": 1, "unless": "body"}}), card("B", "M3 B2 S3 W4"))
    assert after_moment(game, "turn_start") == {(4, 4): Fraction(1, 3), (4, 3): Fraction(2, 3)}


def test_each_miniature_takes_its_own_test() -> None:
    enemies = [card(name, "M3 B3 S3 W1") for name in "BC"]
    game = table(gifted({"when": "turn_start", "enemies": {"deal": 1, "unless": "body"}}), *enemies, sides=(0, 1, 1))
    quarter = Fraction(1, 4)
    assert after_moment(game, "turn_start") == {(4, b, c): quarter for b in (0, 1) for c in (0, 1)}


def test_one_test_saves_from_all_of_it() -> None:
    """The Damage and the change that lasts depend on one die."""
    deeds = {"deal": 1, "body": -2, "unless": "mind"}
    game = table(gifted({"when": "turn_start", "for": "turn", "enemies": deeds}), card("B", "M3 B3 S3 W4"))
    attack = AttackAction(0, 1, "Gun", 5)
    found = odds(start_effects, game, game.initial_state(), "turn_start", (0,))
    results = {(after.wounds(1), resist_test(game, after, attack).modifiers[0].amount) for after in found.weights}
    assert results == {(4, -5), (3, -2)}


def test_the_last_deed_of_one_that_falls_to_a_blade() -> None:
    """M5 hits in 5 cases of 6; B1 never resists P5 but on a 1; then Body 3 saves the attacker in half of them."""
    last = {"when": "eliminated", "if": {"weapon": "CW"}, "attacker": {"deal": 1, "unless": "body"}}
    victim = card("B", "M3 B1 S3 W1", GUN, abilities=[{"name": "Last", "effects": [last]}])
    game = table(card("A", "M5 B3 S3 W2", GUN, BLADE), victim)
    for weapon, hurt in (("Blade", Fraction(25, 72)), ("Gun", Fraction(0))):
        found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, weapon, 1))
        assert found.chance(lambda state: state.wounds(0) == 1) == hurt


@pytest.mark.parametrize(("share", "wounds", "met"), [("half", 3, True), ("half", 4, False), ("below-half", 3, False)])
def test_a_share_of_the_printed_wounds(share: str, wounds: int, met: bool) -> None:
    """Half of 7 or fewer is 3 or fewer; fewer than half of 6 is 2 or fewer."""
    printed = 7 if share == "half" else 6
    effect = {"if": {"wounds_at_most": share}, "bearer": {"damage": 2}}
    game = table(gifted(effect, stats=f"M5 B3 S3 W{printed}"), PLAIN)
    state = game.initial_state().change_counter(0, wounds - printed)
    assert attack_damage(game, state, AttackAction(0, 1, "Gun", 5)) == (3 if met else 1)


def test_a_weapon_that_is_no_power() -> None:
    game = table(gifted({"if": {"weapon": "CW/RW"}, "bearer": {"damage": 1}}, lines=(GUN, BLADE, BOLT)), PLAIN)
    state = game.initial_state()
    damage = {name: attack_damage(game, state, AttackAction(0, 1, name, 1)) for name in ("Gun", "Blade", "Bolt")}
    assert damage == {"Gun": 2, "Blade": 2, "Bolt": 1}


def test_range_that_counts_in_an_attack_counts_before_it() -> None:
    game = table(gifted({"when": "attacking", "if": {"weapon": "RW"}, "bearer": {"range": 5}}), PLAIN)
    assert attack_range(game, game.initial_state(), AttackAction(0, 1, "Gun", 33)) == 35


@pytest.mark.parametrize(("stretch", "later"), [("turn", 1), ("activation", 3)])
def test_whoever_has_not_moved(stretch: str, later: int) -> None:
    game = table(gifted({"if": {"unmoved": stretch}, "bearer": {"damage": 2}}), PLAIN)
    attack = AttackAction(0, 1, "Gun", 5)
    moved = log_move(game, game.initial_state(), 0, 0, failed=False)
    assert attack_damage(game, game.initial_state(), attack) == 3
    assert attack_damage(game, moved, attack) == 1
    assert attack_damage(game, end_activation_marks(game, moved), attack) == later


def test_healing_can_be_barred() -> None:
    game = table(gifted({"enemies": {"healing": "none"}}), PLAIN)
    hurt = game.initial_state().change_counter(0, -2).change_counter(1, -2)
    for who, wounds in ((0, 4), (1, 2)):
        (after,) = odds(heal, game, hurt, who, 2, "Balm").weights
        assert after.wounds(who) == wounds


def test_more_wounds_at_the_start_are_not_healed_again() -> None:
    game = table(gifted({"bearer": {"wounds": 3}}), PLAIN)
    state = game.initial_state()
    assert [state.wounds(who) for who in (0, 1)] == [7, 4]
    (after,) = odds(heal, game, state.change_counter(0, -2), 0, 5, "Balm").weights
    assert after.wounds(0) == 5
    (after,) = odds(heal, game, state.change_counter(0, -5), 0, 5, "Balm").weights
    assert after.wounds(0) == 4


def test_one_more_reaction_in_a_turn() -> None:
    game = table(gifted({"bearer": {"reactions": "more"}}), PLAIN)
    state = game.initial_state()
    for left in (True, True, False):
        assert may_react(game, state, 0) == left
        state = state.change_counter(game.reaction_counter(0), -1)
    assert may_react(game, game.restore_reactions(state), 0)
    once = game.initial_state().change_counter(game.reaction_counter(1), -1)
    assert not may_react(game, once, 1)


def test_one_more_reaction_while_a_condition_holds() -> None:
    game = table(gifted({"if": {"wounds_at_most": 2}, "bearer": {"reactions": "more"}}), PLAIN)
    state = game.initial_state().change_counter(game.reaction_counter(0), -1)
    assert not may_react(game, state, 0)
    assert may_react(game, state.change_counter(0, -2), 0)


def test_a_duel_with_one_more_reaction() -> None:
    """In one turn, A attacks twice with M1; B, who times and hits in 1 of 6, reacts to both attacks, then attacks.

    Nothing of B resists or fails to be resisted otherwise: each blow of B wounds with 1/6 * 5/6.
    """
    gift = {"name": "Gift", "effects": [{"bearer": {"reactions": "more"}}]}
    harmless, blade = "Stick: CW R1 D0", "Blade: CW R1 P9 D1"
    blow = Fraction(1, 6) * Fraction(5, 6)
    for abilities, blows in (([gift], 4), ([], 3)):
        other = card("B", "M1 B5 S1 W9", blade, abilities=abilities)
        game = table(card("A", "M1 B1 S1 W9", harmless), other, records=False)
        found = Duel(game, 1).final_states(0)
        assert found.mean(lambda state: 9 - state[1][0]) == blows * blow


def test_who_cannot_be_chosen_as_a_target() -> None:
    far = {"when": "attacked", "if": {"range_over": 20}, "bearer": {"targeted": "never"}}
    game = table(PLAIN, gifted(far))
    state = game.initial_state()
    assert objection(game, state, AttackAction(0, 1, "Gun", 21)) == "A cannot be chosen as a target"
    assert not objection(game, state, AttackAction(0, 1, "Gun", 20))
    game = table(
        card("B", "M3 B1 S3 W4", GUN, BOLT),
        gifted({"when": "attacked", "if": {"weapon": "P"}, "bearer": {"targeted": "never"}}),
    )
    assert objection(game, game.initial_state(), AttackAction(0, 1, "Bolt", 5))
    assert not objection(game, game.initial_state(), AttackAction(0, 1, "Gun", 5))


def test_a_duel_against_somebody_whom_powers_cannot_target() -> None:
    barred = {"when": "attacked", "if": {"weapon": "P"}, "bearer": {"targeted": "never"}}
    game = table(card("B", "M5 B5 S5 W4", BOLT), gifted(barred, lines=("Stick: CW R1 D0",)), records=False)
    assert Duel(game, 5).final_states(0).mean(lambda state: state[1][1]) == 4


def test_nobody_reacts_to_some_actions() -> None:
    game = table(
        gifted({"when": "attacking", "if": {"weapon": "RW"}, "bearer": {"answered": "never"}}, lines=(GUN, BLADE)),
        PLAIN,
    )
    state = game.initial_state()
    assert is_unanswerable(game, state, 0, AttackAction(0, 1, "Gun", 5))
    assert not is_unanswerable(game, state, 0, AttackAction(0, 1, "Blade", 1))
    assert not is_unanswerable(game, state, 0, None)
    assert is_unanswerable(table(gifted({"when": "moving", "bearer": {"answered": "never"}}), PLAIN), state, 0, None)


def test_half_movement_is_rounded_up() -> None:
    game = table(gifted({"enemies": {"halved": "movement", "movement": -3}}), PLAIN)
    state = game.initial_state()
    assert (move_distance(game, state, 0), move_distance(game, state, 1)) == (10, 4)


def test_a_player_chooses_one_enemy() -> None:
    enemies = [card(name, "M3 B3 S3 W2") for name in "BC"]
    effect = {"when": "turn_start", "enemy": {"deal": 1}}
    game = table(gifted(effect), *enemies, sides=(0, 1, 1), asked=True)
    asked: list[Any] = []

    def answer(path: str, question: Any) -> Any:
        asked.append(question)
        return "C" if isinstance(question, Decision) else 0

    after = play(start_effects(game, game.initial_state(), "turn_start", (0,)), answer, list[Any]().append)
    assert [after.wounds(who) for who in range(3)] == [4, 2, 1]
    assert [question.what for question in asked] == ["Gift: whom"]


@pytest.mark.parametrize(("effect", "wounds"), [
    ({"when": "eliminating", "if": {"weapon": "RW"}, "bearer": {"heal": 1}}, 2),
    ({"when": "eliminating", "if": {"weapon": "CW"}, "bearer": {"heal": 1}}, 1),
    ({"when": "eliminating", "if": {"against": "character"}, "bearer": {"heal": 1}}, 2),
    ({"when": "eliminating", "if": {"against": "minion"}, "bearer": {"heal": 1}}, 1),
    ({"when": "enemy_eliminated", "if": {"range_within": 6}, "bearer": {"heal": 1}}, 2),
    ({"when": "friend_eliminated", "bearer": {"heal": 1}}, 1),
])  # fmt: skip
def test_kills_with_conditions(effect: dict[str, Any], wounds: int) -> None:
    game = table(gifted(effect), card("B", "M3 B1 S3 W1", GUN))
    hurt = game.initial_state().change_counter(0, -3)
    after = odds(resolve_attack, game, hurt, AttackAction(0, 1, "Gun", 10))
    assert {state.wounds(0) for state in after.weights if not state.stands(1)} == {wounds}


def test_what_follows_a_miss_and_a_test_to_resist() -> None:
    """M3 misses in 1/2; B2 less P1 resists in 1/6 of the hits."""
    effects = [{"when": "missed", "attacker": {"deal": 1}}, {"when": "resisting", "attacker": {"deal": 2}}]
    target = card("B", "M3 B2 S3 W4", GUN, abilities=[{"name": "Spite", "effects": effects}])
    game = table(card("A", "M3 B3 S3 W4", "Pea: RW R9 P1 D1"), target)
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Pea", 5))
    assert dict(found.map(lambda state: state.wounds(0))) == {
        3: Fraction(1, 2), 2: Fraction(1, 12), 4: Fraction(5, 12),
    }  # fmt: skip


@pytest.mark.parametrize(("condition", "distance", "damage"), [
    ({"enemy_within": 6}, 6, 3), ({"enemy_within": 6}, 7, 1), ({"enemy_over": 6}, 7, 3), ({"enemy_over": 6}, 6, 1),
    ({"friend_within": 6}, 1, 1), ({"friend_over": 6}, 1, 3), ({"place": "cover"}, 1, 1), ({"unhurt": True}, 1, 3),
])  # fmt: skip
def test_conditions_on_the_bearers_surroundings(condition: dict[str, Any], distance: int, damage: int) -> None:
    game = table(gifted({"if": condition, "bearer": {"damage": 2}}), PLAIN)
    state = game.initial_state().at_distance(distance)
    assert attack_damage(game, state, AttackAction(0, 1, "Gun", distance)) == damage
    hurt = state.change_counter(0, -1)
    assert attack_damage(game, hurt, AttackAction(0, 1, "Gun", distance)) == (1 if "unhurt" in condition else damage)


@pytest.mark.parametrize(("answer", "need"), [("yes", 5), ("no", 4)])
def test_the_table_is_asked_who_is_near(answer: str, need: int) -> None:
    effect = {"if": {"friend_within": 6}, "bearer": {"mind": 1}}
    friend = card("F", "M3 B3 S3 W2")
    game = table(gifted(effect, stats="M4 B3 S3 W4"), PLAIN, friend, sides=(0, 1, 0), asked=True)
    asked: list[Any] = []

    def reply(path: str, question: Any) -> Any:
        asked.append(question.what)
        return answer

    attack = AttackAction(0, 1, "Gun", 5)
    after = play(ask_auras(game, game.initial_state(), attack), reply, list[Any]().append)
    assert asked == ["Gift: A has a friend within 6 cm"]
    assert hit_test(game, after, attack).need == need


def test_what_follows_an_attack_and_scores() -> None:
    """M5 hits in 5 of 6; it happens after every attack."""
    game = table(gifted({"when": "attack_end", "if": {"weapon": "RW"}, "bearer": {"score": 2}}), PLAIN)
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Gun", 5))
    assert dict(found.map(lambda state: game.vp(state)[0])) == {3: Fraction(25, 36), 2: Fraction(11, 36)}


OF_ATTACKS = ({"weapon": "CW"}, {"against": "character"}, {"range_over": 2}, {"weapon_name": "Gun"})


@pytest.mark.parametrize("condition", OF_ATTACKS)
def test_damage_without_an_attack_is_not_that_of_a_weapon_or_an_opponent(condition: dict[str, Any]) -> None:
    """At the start of the turn, an enemy's ability deals 2 Damage, which no condition of an attack fits."""
    ignoring = {"when": "damaged", "if": condition, "bearer": {"ignore": 1}}
    scoring = {"when": "damaged", "if": condition, "bearer": {"heal": 1}}
    guard = {"when": "battle_start", "while": "damaged", "for": "battle", "if": condition, "bearer": {"ignore": 1}}
    harm = gifted({"when": "turn_start", "enemies": {"deal": 2}})
    for effect in (ignoring, scoring, guard):
        victim = card("B", "M3 B1 S3 W4", GUN, abilities=[{"name": "Skin", "effects": [effect]}])
        game = table(harm, victim)
        [(state, _)] = odds(start_effects, game, game.initial_state(), "battle_start", (0, 1)).weights.items()
        assert after_moment(game, "turn_start", state) == {(4, 2): 1}


def lost(text: str, line: str, distance: int = 10) -> dict[int, Fraction]:
    """The Wounds that B, whose ability has a text, loses by an attack of M3 S3; it has B3 S3 and 4 Wounds."""
    game = table(card("A", "M3 B3 S3 W4", line), card("B", "M3 B3 S3 W4", abilities=[{"name": "Gift", "text": text}]))
    name = line.partition(":")[0]
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, name, distance))
    return dict(found.map(lambda after: 4 - after.wounds(1)))


@pytest.mark.parametrize(
    ("text", "line", "distance", "hurt"),
    [
        # 1/2 to hit, and 5/6 not to resist with P5, or 1/2 without Penetration.
        ("Enemies must pass a Spirit Test to Attack the bearer.", GUN, 10, Fraction(5, 24)),
        ("Enemies must pass a Spirit Test to Attack the bearer.", BOLT, 10, Fraction(5, 12)),
        ("Enemies must pass a Spirit Test before they Attack or Channel at the bearer.", BOLT, 10, Fraction(5, 24)),
        ("Enemy Characters must pass a Mind Test to Attack the bearer.", GUN, 10, Fraction(5, 24)),
        ("Enemy Minions must pass a Mind Test to Attack the bearer.", GUN, 10, Fraction(5, 12)),
        ("Attacks against the bearer from over 15cm automatically fail.", GUN, 16, Fraction(0)),
        ("Attacks against the bearer from over 15cm automatically fail.", GUN, 15, Fraction(5, 12)),
        ("Penetration has no effect on the bearer.", GUN, 10, Fraction(1, 4)),
        ("The bearer ignores Penetration.", BOLT, 10, Fraction(1, 4)),
        ("The bearer ignores 4 points of Penetration.", GUN, 10, Fraction(1, 2) * Fraction(4, 6)),
        ("The bearer has +1 to resist Powers.", "Bolt: P R30 D1", 10, Fraction(1, 2) * Fraction(2, 6)),
        ("The bearer has +1 to resist Powers.", "Gun: RW R30 D1", 10, Fraction(1, 4)),
        ("The bearer has +1 to resist.", "Gun: RW R30 D1", 10, Fraction(1, 2) * Fraction(2, 6)),
        ("Reduce the Damage of each Attack against the bearer by 1.", GUN, 10, Fraction(0)),
        ("Reduce the Penetration of all Attacks against the bearer by 5.", GUN, 10, Fraction(1, 4)),
    ],
)  # fmt: skip
def test_a_text_changes_the_odds_of_an_attack_on_its_bearer(
    text: str, line: str, distance: int, hurt: Fraction
) -> None:
    assert 1 - lost(text, line, distance)[0] == hurt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Hit 1/2, not resisted 1/2; what the weapon does besides, it does after its Damage (section 1: Effect).
        ("The target takes 1 Damage.", {0: Fraction(3, 4), 2: Fraction(1, 4)}),
        ("The target must pass a Spirit Test or take 1 Damage.",
         {0: Fraction(3, 4), 1: Fraction(1, 8), 2: Fraction(1, 8)}),
        ("The target takes 1 Damage and gets -1 Mind.", {0: Fraction(3, 4), 1: Fraction(1, 4)}),  # not read
        ("Targets hit by this weapon take 1 Damage.", {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}),
        ("This weapon gets +1 Damage against Minions.", {0: Fraction(3, 4), 1: Fraction(1, 4)}),
        ("This weapon gets +1 Damage against Characters.", {0: Fraction(3, 4), 2: Fraction(1, 4)}),
    ],
)  # fmt: skip
def test_a_text_of_a_weapon_without_a_moment_follows_its_damage(text: str, expected: dict[int, Fraction]) -> None:
    gun = {"name": "Gun", "type": "RW", "range": 30, "damage": 1, "text": text}
    game = table(card("A", "M3 B3 S3 W4", weapons=[gun]), card("B", "M3 B3 S3 W4"))
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Gun", 10))
    assert dict(found.map(lambda after: 4 - after.wounds(1))) == expected
