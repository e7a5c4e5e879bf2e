"""Keys with the wrong indentation are one finding, which says where they belong."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from cardgen.game_file.loader import read_valid_part
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.source import parse_document
from cardgen.validation.base import Int, Model, SourceMap
from cardgen.validation.validate import validate, validate_partially
from tests.cases import each_case
from tests.projects import STATS, Folder
from tests.validation.examples import Cart, validated


@each_case(
    ("text", "said"),
    [
        ("name: A\nspare:\nS: 4\nradius: 3", ["f:3:1 unknown keys 'S' and 'radius'; they belong in 'spare': "
         "indent them more, below 'spare'"]),
        ("name: A\nspare:\n  radius: 3\nrays: 4",
         ["f:4:1 unknown key 'rays'; it belongs in 'spare': indent it more, below 'spare'"]),
        ("name: A\nwheels:\n  - S: 3\n  - S: 4\nradius: 3",
         ["f:5:1 unknown key 'radius'; it belongs in 'wheels': "
          "indent it more, below 'wheels', like the keys of its last item"]),
        ("name: A\nwheels:\nS: 4", ["f:3:1 unknown key 'S'; it belongs in 'wheels': "
         "indent it more, below 'wheels', and write '- ' before it"]),
        ("spare:\n  S: 4\n  name: A",
         ["f:3:3 unknown key 'name'; it belongs at the top level: indent it less, like 'spare'"]),
        ("{spare: {S: 4, name: A}}",
         ["f:1:16 unknown key 'name'; it belongs at the top level: move it out, beside 'spare'"]),
        ("{name: A, spare: {radius: 3}, S: 4}",
         ["f:1:31 unknown key 'S'; it belongs in 'spare': move it into 'spare'"]),
        # Maps of any names: an empty one takes what follows, and a full one loses what only fits elsewhere.
        ("name: A\nplaces:\nhere: 3\nthere: 4",
         ["f:3:1 unknown keys 'here' and 'there'; they belong in 'places': indent them more, below 'places'"]),
        ("name: A\nplaces:\n  here: 3\n  load: hay",
         ["f:4:3 unknown key 'load'; it belongs at the top level: indent it less, like 'places'"]),
        # What a text or a number has to be.
        ("name: A\nspare: {S: 4, radius: '3,5'}", ["f:2:23 'radius' must be a number, not '3,5': "
         "write 3.5, with a point"]),
        ("name: A\nspare: {S: 4, radius: 3.5cm}",
         ["f:2:23 'radius' must be a number, not '3.5cm': write 3.5, without 'cm'"]),
        ("name: A\nbells: brass, tin",
         ["f:2:8 'bells' must be a list, not 'brass, tin': write [brass, tin]"]),
        ("name: A\nplaces:\n  here: 3\n  zzz: hay", ["f:4:8 'zzz' must be a whole number, not 'hay': "]),
        # A map under a wrong name is unpacked.
        ("profile: {name: A, first: 2}",
         ["f:1:1 unknown key 'profile'; its keys belong beside it: write them without 'profile', in its place"]),
        # A misspelled key stays one, and what both places have is no other's.
        ("name: A\nspare:\n  S: 4\nfirt: 3", ["f:4:1 unknown key 'firt'; did you mean 'first'?: "]),
    ],
)  # fmt: skip
def test_a_key_at_the_wrong_level(text: str, said: list[str]) -> None:
    assert [f"{each.place} {each.message}: {each.help}" for each in validated(text)[1]] == said


class Part(Model):
    size: Int


class Bench(Model):
    part: Part
    notes: dict[str, Part] = Field(default_factory=dict)


def test_a_name_above_is_empty_without_its_part() -> None:
    document = parse_document("part: {size: 1}\nnotes:\n  one:\n  size: 3\n", "f")
    _, found = validate(Bench, document.data, SourceMap(document, (Bench,)))
    assert [str(each) for each in found] == ["f:4:3: error[CG101]: unknown key 'size'; it belongs in 'one'"]


def test_a_map_beside_a_map_of_maps_is_one_of_them() -> None:
    document = parse_document("part: {size: 1}\nnotes:\n  one: {size: 3}\ntwo:\n  size: 4\n", "f")
    (found,) = validate(Bench, document.data, SourceMap(document, (Bench,)))[1]
    assert str(found) == "f:4:1: error[CG101]: unknown key 'two'; it belongs in 'notes'"
    assert found.help == "indent it more, below 'notes'"


def test_a_missing_map_is_written_in_place_of_its_keys() -> None:
    document = parse_document("size: 1\nnotes: {}\n", "f")
    (found,) = validate(Bench, document.data, SourceMap(document, (Bench,)))[1]
    assert str(found) == "f:1:1: error[CG101]: unknown key 'size'; it belongs in 'part'"
    assert found.help == "write 'part: {size: 1}'"


GAME = """\
game: inn
name: Inn
prefix: IN
kinds:
  guest:
    fields:
      purse: {type: integer}
lists:
  party:
    members: {kind: guest}
    print: roster
"""
OUT = "unknown key '{}'; it belongs beside 'fields': indent it less, like 'fields'"


@each_case(
    ("old", "new", "said"),
    [
        # A part of a map of any names that has the name and the form of a key beside the map.
        ("      purse: {type: integer}\n", "      purse: {type: integer}\n      boxes: {wounds: purse}\n",
         f"g:8:7 {OUT.format('boxes')}"),
        ("      purse: {type: integer}\n", "      purse: {type: integer}\n      example: {purse: 3}\n",
         f"g:8:7 {OUT.format('example')}"),
        ("      purse: {type: integer}\n", "      purse: {type: integer}\n      text: It pays.\n",
         f"g:8:7 {OUT.format('text')}"),
        ("      purse: {type: integer}\n", "      purse: {type: integer}\n      boxes: {type: integr}\n",
         "g:8:21 unknown type 'integr'; did you mean 'integer'?: available: integer, number, text, flag, choice, term, "
         "dice, length, card, picture, colour, list, map"),
        ("    print: roster\n", "    print: roster\n  glossary:\n    Ale: {means: It is brown.}\n",
         "g:12:3 unknown key 'glossary'; it belongs at the top level: indent it less, like 'lists'"),
        # Keys of a part, in the map of the parts.
        ("lists:\n  party:\n    members: {kind: guest}\n    print: roster\n",
         "lists:\nparty:\n  members: {kind: guest}\n  print: roster\n",
         "g:9:1 unknown key 'party'; it belongs in 'lists': indent it more, below 'lists'"),
        ("    members: {kind: guest}\n    print: roster\n", "  members: {kind: guest}\n  print: roster\n",
         "g:10:3 unknown keys 'members' and 'print'; they belong in 'party': indent them more, below 'party'"),
        ("    print: roster\n", "  print: roster\n",
         "g:11:3 unknown key 'print'; it belongs in 'party': indent it more, below 'party'"),
        ("  party:\n    members: {kind: guest}\n    print: roster\n", "  members: {kind: guest}\n  print: roster\n",
         "g:9:3 unknown keys 'members' and 'print'; they belong below a name in 'lists': "
         "write a name above them, with a colon, and indent them below it"),
        ("    fields:\n      purse: {type: integer}\n", "    purse: {type: integer}\n    thirst: {type: integer}\n",
         "g:6:5 unknown keys 'purse' and 'thirst'; they belong in 'fields': "
         "write 'fields:' above them, and indent them below it"),
    ],
)  # fmt: skip
def test_keys_of_a_game_at_the_wrong_level(old: str, new: str, said: str) -> None:
    assert old in GAME
    document = parse_document(GAME.replace(old, new), "g")
    _, found = read_valid_part(document, Path())
    assert [f"{each.place} {each.message}: {each.help}" for each in found] == [said]


def test_what_is_read_of_the_rest_has_one_finding_as_well() -> None:
    partial = validate_partially(Cart, parse_document("name: A\nspare:\nS: 4\nradius: 3", "f"), {})
    assert [each.message for each in partial.diagnostics] == ["unknown keys 'S' and 'radius'; they belong in 'spare'"]
    assert partial.spec


def test_a_key_beside_a_short_form_needs_the_full_one(folder: Folder) -> None:
    weapons = "weapons:\n  - Club: CW R1 P1 D1\n    effects: [{target: {heal: 1}}]\n"
    folder.write("cards/a.yaml", f"kind: minion\nname: Ash\nstats: {STATS}\n{weapons}")
    (found,) = check_project(CheckRequest()).findings
    assert found.diagnostic.message == "'effects' cannot follow the short form of 'Club'"
    assert found.diagnostic.help == "write {name: Club, type: CW, range: 1, penetration: 1, damage: 1, effects: …}"


def test_an_unknown_key_beside_a_short_form_is_what_is_unknown(folder: Folder) -> None:
    above = f"kind: minion\nname: Ash\nstats: {STATS}\nweapons:\n  - Club: CW R1 P1 D1\n"
    fighter = "{kind: fighter, name: A, faction: skaven, stats: {M: 5, T: 3, W: 8}, points: 60, weapons: [{Bow: "
    for card in (above + "    efects: []\n", f"game: warcry\ncards: [{fighter}ranged R3-9 A2 S3 D1/3, efects: 2}}]}}]"):
        folder.write("cards/a.yaml", card)
        (found,) = check_project(CheckRequest(select=("CG1",))).findings
        assert found.diagnostic.message.startswith("unknown key 'efects'")


def test_a_key_below_an_item_in_its_short_form_needs_the_full_one(folder: Folder) -> None:
    above = f"kind: minion\nname: Ash\nstats: {STATS}\nweapons:\n  - Club: CW R1 P1 D1\n"
    folder.write("cards/a.yaml", f"{above}effects: [{{bearer: {{heal: 1}}}}]\n")
    (found,) = check_project(CheckRequest()).findings
    assert found.diagnostic.message.endswith("it belongs in 'weapons'")
    assert found.diagnostic.help == "write the last item of 'weapons' in full, as {name: …}, with it among its keys"
