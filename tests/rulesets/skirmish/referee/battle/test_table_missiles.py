"""The Shooting and Magic phases."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.requests import Roll
from cardgen.rulesets.skirmish.referee.battle.table import magic_phase, shooting_phase, usable_weapons
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STUNNED, Health
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of
from tests.rulesets.skirmish.referee.fights import BOW, HANDGUN


def archer(**keys: Any) -> Any:
    """Return a model with a bow."""
    return model(0, "A", **{"weapons": (BOW,), **keys})


@pytest.mark.parametrize("act", ["ran", "charged", "failed", "rallied", "resting", "shot"])
def test_who_cannot_shoot(act: str) -> None:
    assert not usable_weapons(table_of(), archer(acts={act}))


def test_the_fallen_and_the_engaged_cannot_shoot() -> None:
    busy = archer()
    busy.touch(model(1, "B"))
    for who in (busy, archer(health=Health(0, DOWN)), archer(health=Health(0, STUNNED)), archer(flight="panic")):
        assert not usable_weapons(table_of(), who)


def test_move_or_fire_and_the_readings_of_moving() -> None:
    gunner = archer(weapons=(HANDGUN,), acts={"moved"})
    assert not usable_weapons(table_of(), gunner)
    risen = archer(weapons=(HANDGUN,), acts={"rose"})
    assert [bool(usable_weapons(table_of(standing_moves=each), risen)) for each in ("never", "moves")] == [True, False]
    assert not usable_weapons(table_of(), archer(weapons=(HANDGUN,), acts={"jumped", "done"}))
    fallen = archer(acts={"fell"})
    assert [bool(usable_weapons(table_of(after_fall=each), fallen)) for each in ("shoots", "never")] == [True, False]


def test_a_shot() -> None:
    who, foe = archer(), model(1, "B")
    script = Script(6, [3], shooter=["A"], target="B", distance=(20, "hard"))
    run_with(shooting_phase(table_of(who, foe)), script)
    assert foe.health.state == FIT
    hit = script.of("hit")[0].what
    assert "-1 long range" in hit
    assert "-2 hard cover" in hit
    assert who.has_acted("shot")


def test_a_shot_beyond_the_range_misses() -> None:
    who, foe = archer(), model(1, "B")
    script = Script(6, shooter=["A"], target="B", distance=(25,))
    run_with(shooting_phase(table_of(who, foe)), script)
    assert not script.of("hit")


def test_a_shooter_is_no_longer_hidden_and_hidden_or_engaged_enemies_are_no_targets() -> None:
    who, seen, hidden, busy = archer(is_hidden=True), model(1, "B"), model(1, "C", is_hidden=True), model(1, "D")
    busy.touch(model(0, "E"))
    script = Script(1, shooter=["A"], target="B", distance=(5,))
    run_with(shooting_phase(table_of(who, seen, hidden, busy)), script)
    assert script.of("target")[0].options == ("none", "B (1 Wound)")
    assert not who.is_hidden


def test_the_target_question_follows_the_rulings() -> None:
    cases: tuple[tuple[Any, str], ...] = (({"nearest": "all"}, "nearest of all"), ({"easier": "cover"}, "less cover"))
    for rulings, words in cases:
        script = Script(1, shooter=["A"], target="none")
        run_with(shooting_phase(table_of(archer(), model(1, "B"), **rulings)), script)
        assert words in script.of("target")[0].what


def test_who_falls_near_an_edge_may_slip() -> None:
    foe = model(1, "B")
    script = Script(6, [6, 4, 1, 4, 1, 2, 6], shooter=["A"], target="B", distance=(5,), edge="Hut")
    run_with(
        shooting_phase(table_of(archer(), foe, scenario={"terrain": ({"name": "Hut", "level": 3}, {"name": "Pond"})})),
        script,
    )
    assert script.of("edge")[0].options == ("none", 'Hut, 3"', "another height")
    assert not script.of("height")
    assert script.asked_keys().count("initiative") == 1


def test_a_milder_injury_of_the_same_turn() -> None:
    """With new states in force, the ruling on injuries of a turn still keeps the worse one."""
    for worst, state in (("batch", DOWN), ("turn", STUNNED)):
        foe = model(1, "B", health=Health(0, STUNNED), acts={"felled"})
        script = Script(1, [5, 5, 1], shooter=["A"], target="B", distance=(5,))
        run_with(shooting_phase(table_of(archer(), foe, milder_injury="new", worst_injury=worst)), script)
        assert foe.health.state == state


def test_out_of_action_spreads_panic() -> None:
    victim, friend = model(1, "B"), model(1, "C")
    script = Script(6, [5, 5, 6, 6, 6], shooter=["A"], target="B", distance=(5,), panic=[["C"]])
    run_with(shooting_phase(table_of(archer(), victim, friend)), script)
    assert victim.health.state == OUT
    assert friend.flight == "panic"


def test_stupid_wizards_do_not_cast() -> None:
    script = Script(caster=["W"])
    run_with(magic_phase(table_of(model(0, "W", wizard=1, acts={"stupid"}), model(1, "B"))), script)
    assert not script.of("caster")


def test_spells_are_never_critical() -> None:
    wizard, foe = model(0, "W", wizard=1, is_hidden=True), model(1, "B", w=3)
    script = Script(6, [6], caster=["W"], target="B", strength=4, hits=1)
    run_with(magic_phase(table_of(wizard, foe)), script)
    assert foe.health.wounds == 2
    assert not wizard.is_hidden
    assert [each.who for each in script.asked if isinstance(each, Roll)] == ["W"]
