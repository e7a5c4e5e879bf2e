"""Every kind of fault: its words, its code and its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from pydantic_core import ErrorDetails

from cardgen.diagnostic import Diagnostic, Place
from cardgen.source import Document, parse_document
from cardgen.validation.base import Model, SourceMap, model_keys
from cardgen.validation.fault import collect_faults
from cardgen.validation.validate import KeyContext, describe_fault, validate
from tests.cases import each_case
from tests.validation.examples import Cart, problems, validated


@each_case(
    ("text", "said"),
    [
        ("{}", "f:1:1: error[CG102]: missing key 'name'"),
        ("name: A\nspare: {radius: 3}", "f:2:8: error[CG102]: missing key 'spokes'"),
        ("name: A\nnmae: B", "f:2:1: error[CG101]: unknown key 'nmae'; did you mean 'name'?"),
        ("name: A\nspare: {S: 3, ray: 4}", "f:2:15: error[CG101]: unknown key 'ray'; did you mean 'rays'?"),
        ("name: A\nSpare: {S: 3}", "f:2:1: error[CG101]: unknown key 'Spare'; did you mean 'spare'?"),
        ("name: A\nrays: 3", "f:2:1: error[CG101]: unknown key 'rays'; it belongs in 'wheels'"),
        ("name: A\nspare: {S: 3, colour: red}",
         "f:2:15: error[CG101]: unknown key 'colour'; it belongs at the top level"),
        ("name: A\nzzz: 3", "f:2:1: error[CG101]: unknown key 'zzz'"),
        ("name: A\ncondition: wet", "f:2:1: error[CG101]: unknown key 'condition'"),
        ("title: A", "f:1:1: error[CG101]: unknown key 'title'"),
        ("name: A\nspare: {spikes_of_it: 3}", "f:2:9: error[CG101]: unknown key 'spikes_of_it'"),
        ("name: A\nspare: {number-of-spokes: 3}", "f:2:9: error[CG101]: unknown key 'number-of-spokes'"),
        ("name: 5", "f:1:7: error[CG103]: 'name' must be text, not 5"),
        ("name:", "f:1:6: error[CG103]: 'name' must be text, but is empty"),
        ("name: [a]", "f:1:7: error[CG103]: 'name' must be text, not a list"),
        ("name: {a: b}", "f:1:7: error[CG103]: 'name' must be text, not a map"),
        ("name: true", "f:1:7: error[CG103]: 'name' must be text, not true"),
        ("name: A\nif: 3", "f:2:5: error[CG103]: 'if' must be text, not 3"),
        ("name: A\nspare: {S: 3.5}", "f:2:12: error[CG103]: 'S' must be a whole number, not 3.5"),
        ("name: A\nspare: {rays: true}", "f:2:15: error[CG103]: 'rays' must be a whole number, not true"),
        ("name: A\nspare: 3", "f:2:8: error[CG103]: 'spare' must be a map, not 3"),
        ("name: A\nwheels: {S: 3}", "f:2:9: error[CG103]: 'wheels' must be a list, not a map"),
        ("name: A\nwheels: [5]", "f:2:10: error[CG103]: item 1 of 'wheels' must be a map, not 5"),
        ("name: A\nplaces: []", "f:2:9: error[CG103]: 'places' must be a map, not a list"),
        ("name: A\nplaces: {here: x}", "f:2:16: error[CG103]: 'here' must be a whole number, not 'x'"),
        ("name: A\nsize: [1, x]", "f:2:11: error[CG103]: item 2 of 'size' must be a number, not 'x'"),
        ("name: A\nsize: [1]", "f:2:7: error[CG102]: item 2 of 'size' is missing"),
        ("name: A\nsize: [1, 2, 3]", "f:2:14: error[CG104]: 'size' must have at most 2 items, not 3"),
        ("5", "f:1:1: error[CG103]: this must be a map, not 5"),
        ("name: A\nspare: {S: 2}", "f:2:12: error[CG104]: 'S' must be at least 3, not 2"),
        ("name: A\nspare: {S: 49}", "f:2:12: error[CG104]: 'S' must be at most 48, not 49"),
        ("name: A\nspare: {S: 3, radius: 0}", "f:2:23: error[CG104]: 'radius' must be greater than 0, not 0"),
        ("name: A\nspare: {S: 3, radius: 200}", "f:2:23: error[CG104]: 'radius' must be less than 200, not 200"),
        ("name: ''", "f:1:7: error[CG104]: 'name' must not be empty"),
        ("name: ' '", "f:1:7: error[CG106]: 'name' must not be blank"),
        ("name: aaaaaaaaaaaaaaaaaaaaa", "f:1:7: error[CG104]: 'name' must have at most 20 characters, not 21"),
        ("name: A\nwheels: []", "f:2:9: error[CG104]: 'wheels' must not be empty"),
        ("name: A\nwheels: [{S: 3},{S: 3},{S: 3},{S: 3},{S: 3}]",
         "f:2:38: error[CG104]: 'wheels' must have at most 4 items, not 5"),
        ("name: A\ncode: A1", "f:2:7: error[CG106]: 'code' cannot be 'A1'"),
        ("name: A\ncolour: gren",
         "f:2:9: error[CG105]: 'colour' must be red or green, not 'gren'; did you mean 'green'?"),
        ("name: A\ncolour: 3", "f:2:9: error[CG105]: 'colour' must be red or green, not 3"),
        ("name: A\nmonth: juni", "f:2:8: error[CG105]: 'month' cannot be 'juni'; did you mean 'jun'?"),
        ("name: A\nload: 5", "f:2:7: error[CG105]: 'load' must be hay, coal, true, or false, not 5"),
        ("name: A\nbells: [tin, brss]",
         "f:2:14: error[CG105]: item 2 of 'bells' must be brass or tin, not 'brss'; did you mean 'brass'?"),
        ("name: A\nload: Hay",
         "f:2:7: error[CG105]: 'load' must be hay, coal, true, or false, not 'Hay'; did you mean 'hay'?"),
        ("name: A\nowner: 5", "f:2:8: error[CG103]: 'owner' must be a map or text, not 5"),
        ("name: A\nowner: {radius: x, S: 3}", "f:2:17: error[CG103]: 'radius' must be a number, not 'x'"),
        ("name: A\nowner: ''", "f:2:8: error[CG104]: 'owner' must not be empty"),
        ("name: A\nodd: 4", "f:2:6: error[XX123]: 4 is even"),
        ("name: A\nodd: 7", "f:2:6: error[CG107]: seven is taken"),
        ("name: A\nfirst: 5\nlast: 3", "f:3:7: error[CG107]: 'last' comes before 'first'"),
        (
            "name: A\nspare: {S: 3, rays: 4}",
            "f:2:15: error[CG108]: 'rays' and 'spokes' both stand for the same key; use only one",
        ),
    ],
)  # fmt: skip
def test_a_fault(text: str, said: str) -> None:
    assert problems(text) == [said]


class Blade(Model):
    """A part that can be written in one line."""

    TITLE: ClassVar[str] = "NAME: Dn"
    damage: int


class Armory(Model):
    blades: tuple[Blade, ...] = ()
    best: Blade | None = None
    cart: Cart | None = None


@each_case(
    ("text", "advice"),
    [
        ("blades: [Sword D2]", "put a colon after the name: NAME: Dn"),
        ("blades: Sword D2", "write '- ' before it, and a colon after the name: NAME: Dn"),
        ("best: Sword D2", "put a colon after the name: NAME: Dn"),
        ("best: 'Sword: D2'", "remove the quotation marks, so that the words before the colon are a key"),
        ("best: 5", "write {damage: …}"),
        ("cart: {name: A, first: 2+}", "write 2, without '+'"),
        ("cart: {name: A, first: '2'}", "write 2, without quotation marks"),
        ("cart: {name: A, first: 12 cm}", "write 12, without 'cm'"),
        ("cart: {name: A, first: two}", ""),
        ("cart: Sword D2", ""),
    ],
)
def test_a_part_without_its_colon_is_told_how_it_is_written(text: str, advice: str) -> None:
    document = parse_document(text, "f")
    _, (found,) = validate(Armory, document.data, SourceMap(document, (Armory,)))
    assert (found.code, found.help) == ("CG103", advice)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("name: A\nspare: {S: 3, zzz: 4}", "valid keys: spokes (S), radius"),
        ("name: A\nspare: 3", "write {S: …, radius: …}"),
        ("name: A\nspare: [3, 35]", "write {S: …, radius: …}"),
        ("name: A\ncode: A1", "write small letters only"),
        ("name: A\nmonth: x", "write jan, feb, mar, apr, may, jun, or jul"),
        ("name: A\nodd: 4", "add 1"),
        ("name: A\nwheels: ['S: 3']", "remove the quotation marks, so that the words before the colon are a key"),
    ],
)
def test_advice(text: str, advice: str) -> None:
    assert [diagnostic.help for diagnostic in validated(text)[1]] == [advice]


@pytest.mark.parametrize(
    ("number", "last"), [(100, ""), (101, " (and 1 more like this)"), (2100, " (and 2,000 more like this)")]
)
def test_of_many_faults_of_a_kind_only_the_number_is_told(number: int, last: str) -> None:
    found = problems("name: A\nsize: x\n" + "".join(f"zzz{index}: 1\n" for index in range(number)))
    assert len(found) == 101
    assert found[0].startswith("f:2:7: ")  # other kinds are told as well
    assert found[-1] == f"f:102:1: error[CG101]: unknown key 'zzz99'{last}"


def test_all_faults_at_once_in_order() -> None:
    text = "nam: A\nsize: x\nwheels:\n- {S: 1}\n- {S: 2, x: 1}\nload: no\n"
    assert [said.split(":")[1:3] for said in problems(text)] == [
        ["1", "1"], ["2", "7"], ["4", "7"], ["5", "7"], ["5", "10"],
    ]  # fmt: skip


def test_a_key_that_is_misspelt_is_not_called_missing_too() -> None:
    (said,) = problems("NAME: A\n")
    assert said == "f:1:1: error[CG101]: unknown key 'NAME'; did you mean 'name'?"
    assert len(problems("spam: 5\n")) == 2  # Nothing like a name: that is missing indeed.


def test_what_is_missing_can_be_written_down() -> None:
    _, (fault,) = validated("{}")
    assert fault.help == "add 'name: …' here"


def test_what_the_file_itself_complains_about_is_said_once() -> None:
    assert problems("name: A\nfirst: .inf\nlast: x") == ["f:3:7: error[CG103]: 'last' must be a whole number, not 'x'"]


def test_faults_of_many_cards_of_a_file_go_through_its_own_problems_once() -> None:
    class Counted(tuple[Diagnostic, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[Diagnostic]:
            passes.append(1)
            return super().__iter__()

    passes: list[int] = []
    reported = Diagnostic("CG042", "a formula without a result", Place("f"))
    document = Document("f", {"name": 5}, Counted((reported,)))
    for _ in range(10):
        assert validate(Cart, document.data, SourceMap(document, (Cart,)))[1] == ()
    assert len(passes) == 1


def test_what_is_right_has_no_problems() -> None:
    cart, found = validated("name: A\nwheels: [{S: 3.0}]\nload: hay\nowner: B\nif: wet\ncolour: green")
    assert found == ()
    assert isinstance(cart, Cart)
    assert (cart.wheels[0].spokes, cart.condition) == (3, "wet")


def test_keys_that_belong_elsewhere() -> None:
    class Boat(Model):
        sails: int

    around = KeyContext(owner_suffix=" for a cart", extra_keys=("format",), related_models={"to a boat": (Boat,)})
    assert problems("name: A\nsails: 3\nformatt: 1", around) == [
        "f:2:1: error[CG101]: unknown key 'sails' for a cart; it belongs to a boat",
        "f:3:1: error[CG101]: unknown key 'formatt' for a cart; did you mean 'format'?",
    ]


def test_long_values_are_shortened() -> None:
    (said,) = problems(f"name: A\ncode: {'B' * 100}")
    assert said == f"f:2:7: error[CG106]: 'code' cannot be '{'B' * 40}…'"


def test_an_error_that_nobody_has_put_into_words_is_not_in_pydantics() -> None:
    details: ErrorDetails = {"type": "date_past", "loc": ("name",), "msg": "Date should be past", "input": "x"}
    (fault,) = collect_faults([details], {"name": "x"}, (Cart,))
    assert describe_fault(fault, "'name'", KeyContext()) == ("CG107", "'name' cannot be 'x'", "")


def test_aliases_and_attributes_name_the_same_key() -> None:
    assert model_keys(Cart)["condition"] == model_keys(Cart)["if"]


def test_a_text_that_ends_at_a_comma_should_be_quoted() -> None:
    (found,) = validated("{name: x, code: y, including the way out.}")[1]
    assert found.message == "unknown key 'including the way out.'"
    assert found.help == "if this is part of a text with a comma, put the whole text in quotes"


@each_case(
    ("text", "said"),
    [
        ("title: 5", ["CG101: valid keys", "CG102: add 'name: …' here"]),  # a number is no name
        ("title: A\nsubtitle: B", ["CG101: valid keys", "CG101: valid keys", "CG102: add 'name: …' here"]),
        ("rays: 3", ["CG101: valid keys", "CG102: add 'name: …' here"]),  # a key of wheels
        ("title: A", ["CG101: write 'name', which is missing here"]),
        ("spare: {count: 4}\nname: A", ["CG101: write 'spokes', which is missing here"]),
        ("spare: {count: 4, size: 1}\nname: A",
         ["CG101: move it out, beside 'spare'", "CG101: write 'spokes', which is missing here"]),
        ("spare: {how-many: 4, size: 1}\nname: A",
         ["CG101: move it out, beside 'spare'", "CG101: write 'spokes', which is missing here"]),
    ],
)  # fmt: skip
def test_an_unknown_key_can_be_the_missing_one(text: str, said: list[str]) -> None:
    _, found = validated(text)
    assert (
        sorted(f"{each.code}: {each.help.partition(':')[0] if 'valid' in each.help else each.help}" for each in found)
        == said
    )


def test_a_map_of_other_keys_only_is_not_told_what_it_lacks() -> None:
    document = parse_document("swords:\n  - Sword: {D: 2}\n", "f")
    _, found = validate(Rack, document.data, SourceMap(document, (Rack,)))
    assert [str(each) for each in found] == ["f:2:5: error[CG101]: unknown key 'Sword'"]
    assert found[0].help == "valid keys: name, damage"


class Sword(Model):
    name: str
    damage: int


class Rack(Model):
    swords: tuple[Sword, ...] = ()
