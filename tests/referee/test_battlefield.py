"""Models on a battlefield: acts, contacts, and combats."""

from __future__ import annotations

from cardgen.referee.battlefield import Battlefield, BattleModel, combats


def test_contacts_and_combats() -> None:
    a, b, c, d, e, f = models = [BattleModel(side=place % 2) for place in range(6)]
    a.touch(b)
    b.touch(c)
    d.touch(e)
    assert combats(models) == [[a, b, c], [d, e]]
    a.rounds = b.rounds = c.rounds = 2
    b.leave_combat()
    assert combats(models) == [[d, e]]
    assert (a.contacts, a.rounds, b.rounds, c.rounds) == (set(), 0, 0, 0)
    assert not f.contacts


def test_acts() -> None:
    model = BattleModel(side=0)
    model.acts.add("ran")
    assert model.has_acted("shot", "ran")
    assert not model.has_acted("shot")


def test_models_of_a_side() -> None:
    models = [BattleModel(side=0), BattleModel(side=1), BattleModel(side=1)]
    models[1].acts.add("ran")
    field = Battlefield(sides=("A", "B"), models=models, settings={"ties": "draw"})
    assert field.of(1) == models[1:] == field.enemies(models[0])
    assert field.of(1, lambda each: each.has_acted("ran")) == [models[1]]
    assert field.says("ties", "draw")
    assert not field.says("ties", "again")
    assert field.rules == {("ties", "draw")}
