"""`cardgen fix --structure` writes texts as effects, and touches nothing else."""

from __future__ import annotations

import pytest

from tests.cli.commands import Program
from tests.projects import Folder

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


TEXT = "Enemies within 6cm suffer -1 Body."
EFFECT = "{if: {range_within: 6}, enemies: {body: -1}}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"- name: Ring\n  text: >-  # why\n    {TEXT}\n  qty: 2\n",
         f"- name: Ring\n  effects:  # why\n    - {EFFECT}\n  qty: 2\n"),
        (f"- name: Ring\n  text: |2-   # why\n    {TEXT}\n  # between\n  qty: 2\n",
         f"- name: Ring\n  effects:  # why\n    - {EFFECT}\n  # between\n  qty: 2\n"),
        (f"- name: Ring\n  text: # why\n    # and how\n    '{TEXT}' # behind\n# at the end\n",
         f"- name: Ring\n  # why\n  # and how\n  effects:\n    - {EFFECT} # behind\n# at the end\n"),
        (f"- name: Ring\n  # above\n  text: >+\n    {TEXT}\n\n    # no comment\n", ""),
        (f"- name: Ring\n  text: >  # '#' why\n\n    {TEXT}\n\n# at the end\n",
         f"- name: Ring\n  effects:  # '#' why\n    - {EFFECT}\n\n# at the end\n"),
        (f"- {{name: Ring, text: # why\n  '{TEXT}', # behind\n  qty: 2}}\n",
         f"- {{name: Ring, # why\n  effects: [{EFFECT}], # behind\n  qty: 2}}\n"),
        (f"- {{text: # why\n  '{TEXT}', name: Ring}} # end\n",
         f"- {{ # why\n  effects: [{EFFECT}], name: Ring}} # end\n"),
    ],
)  # fmt: skip
def test_comments_stay(folder: Folder, cardgen: Program, before: str, after: str) -> None:
    head = "game: warniris\nkind: relic\ncards:\n"
    path = folder.write("cards/relics.yaml", head + before)
    cardgen("fix", "--structure")
    assert path.read_text(encoding="utf-8") == head + (after or before)
    assert cardgen("check", "--select", "syntax").code == 0


def test_something_must_be_chosen(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", BEFORE)
    assert cardgen("fix").code == 2


def test_line_breaks_and_byte_order_mark_stay(folder: Folder, cardgen: Program) -> None:
    path = folder.root / "cards/relics.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\xef\xbb\xbf" + BEFORE.replace("\n", "\r\n").encode())
    cardgen("fix", "--structure")
    assert path.read_bytes() == b"\xef\xbb\xbf" + AFTER.replace("\n", "\r\n").encode()


def test_texts_of_defaults_and_with_explicit_keys_are_left_alone(folder: Folder, cardgen: Program) -> None:
    text = "Enemies within 6cm suffer -1 Body."
    defaults = (
        f"game: warniris\nkind: relic\ndefaults: {{text: {text}}}\ncards: [{{name: Ring}}, {{name: Bow, text: Hm.}}]\n"
    )
    explicit = f"game: warniris\nkind: relic\ncards:\n  - ? name\n    : Lute\n    ? text\n    : {text}\n"
    paths = [folder.write("cards/defaults.yaml", defaults), folder.write("cards/explicit.yaml", explicit)]
    assert "0 texts" in cardgen("fix", "--structure").out
    assert [path.read_text(encoding="utf-8") for path in paths] == [defaults, explicit]
