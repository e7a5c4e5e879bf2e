"""`cardgen fix --structure` writes texts as effects, and touches nothing else."""

from __future__ import annotations

from tests.cli.commands import Program
from tests.pipeline.projects import Folder

BEFORE = """\
format: 1
game: warniris
kind: relic
cards:
  # The first of all.
  - name: Ring   # of iron
    text: >-
      Enemies within 6cm suffer
      -1 Body.

    motto: "Cold."
  - {name: Cloak, text: 'Once per turn, when the wearer is eliminated, friends within 15 cm regain two wounds.', qty: 2}
  - {name: Flute, text: Nobody knows what it does.}
  - {name: Lens, text: 'While it is stationary, the wearer has +1 Body.'} # loose
"""
AFTER = """\
format: 1
game: warniris
kind: relic
cards:
  # The first of all.
  - name: Ring   # of iron
    effects:
      - {if: {range_within: 6}, enemies: {body: -1}}

    motto: "Cold."
  - {name: Cloak, once: turn, effects: [{when: eliminated, if: {range_within: 15}, friends: {heal: 2}}], qty: 2}
  - {name: Flute, text: Nobody knows what it does.}
  - {name: Lens, text: 'While it is stationary, the wearer has +1 Body.'} # loose
"""
LENS = "{name: Lens, effects: [{if: {unmoved: activation}, bearer: {body: 1}}]}"


def test_texts_become_effects(folder: Folder, cardgen: Program) -> None:
    path = folder.write("cards/relics.yaml", BEFORE)
    assert cardgen("fix", "--structure", "--diff").code == 1
    assert path.read_text(encoding="utf-8") == BEFORE
    outcome = cardgen("fix", "--structure")
    assert outcome.out.splitlines()[-1] == "2 texts written as effects"
    assert path.read_text(encoding="utf-8") == AFTER
    assert "0 texts" in cardgen("fix", "--structure").out
    assert LENS in (cardgen("fix", "--structure", "--loose").out and path.read_text(encoding="utf-8"))


def test_something_must_be_chosen(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", BEFORE)
    assert cardgen("fix").code == 2
