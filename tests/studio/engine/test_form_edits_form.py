"""The form of the card that is being written, as the engine answers it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardgen.source import KeyPath
from cardgen.studio.engine.form_edits import EditState, FormChange, plain_edit
from cardgen.studio.engine.remote import Engine
from tests.cases import each_case

RELIC = """\
kind: relic
name: Lamp  # kept
text: "Once per battle, at the start of its activation, the bearer heals 2 wounds."
"""
HERO = """\
kind: character
defaults: {tags: [one], motto: Ours.}
cards:
  - name: Old Gravel
    stats: {M: 4, B: 4, S: 3, W: 5, Mo: 10}
    weapons:
      - Fist: CW R1 P1 D1  # quick
    abilities:
      - name: Steady
        effects:
          - {when: attacking, bearer: {mind: 1}}
"""
WARBAND = "kind: warband\nname: The Oath\nmembers:\n  - {character: …}\n"
HERO_KEY, LAMP_KEY = "warniris/character/old-gravel", "warniris/relic/lamp"


class _Form:
    """The form of one file, which is written after each change."""

    def __init__(self, engine: Engine, file: str, text: str, key: str) -> None:
        self.engine, self.file, self.key = engine, file, key
        self.text = text
        engine.write(file, text)

    def field(self, *path: str | int) -> Mapping[str, Any]:
        """Return the field at a key path."""
        state = self.engine.form.fields(self.file, self.key, ())
        assert state.field, state.fault
        field: Mapping[str, Any] = state.field
        while field["path"] != path:
            inner = [each for each in field["fields"] if each["path"] == path[: len(each["path"])]]
            assert inner, f"{path} is not below {field['path']}"
            field = inner[0]
        return field

    def change(self, action: str, path: KeyPath, argument: Any = None) -> EditState:
        """Change the text as the form does."""
        change = FormChange(action, path, argument)
        state: EditState = self.engine.form.edit(self.file, self.text, self.key, (), change)
        self.text = state.text
        self.engine.write(self.file, self.text)
        return state


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    for name, text in {"lamp": RELIC, "hero": HERO, "oath": WARBAND}.items():
        (tmp_path / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Engine(str(tmp_path))


@pytest.fixture
def lamp(engine: Engine) -> _Form:
    return _Form(engine, "cards/lamp.yaml", RELIC, LAMP_KEY)


@pytest.fixture
def hero(engine: Engine) -> _Form:
    return _Form(engine, "cards/hero.yaml", HERO, HERO_KEY)


def test_fields_have_the_bounds_choices_and_help_of_the_schema(hero: _Form) -> None:
    mind = hero.field("cards", 0, "stats", "M")
    assert (mind["widget"], mind["label"], mind["value"]) == ("number", "Mind (M)", 4)
    assert (mind["minimum"], mind["maximum"], mind["is_whole"], mind["can_remove"]) == (1, 5, True, False)
    assert "hit" in mind["help"]
    assert "`" not in str(hero.field("cards", 0))
    when = hero.field("cards", 0, "abilities", 0, "effects", 0, "when")
    assert (when["widget"], when["value"]) == ("choice", "attacking")
    assert "attacked" in when["choices"]
    card = hero.field("cards", 0)
    assert {"height", "base"} <= {each["key"] for each in card["additions"]}
    assert "mind" not in {each["key"] for each in hero.field("cards", 0, "stats")["additions"]}
    assert card["line"] == hero.text[: hero.text.index("name: Old")].count("\n") + 1


def test_a_short_form_is_written_in_full(hero: _Form) -> None:
    weapon = ("cards", 0, "weapons", 0)
    assert (hero.field(*weapon)["widget"], hero.field(*weapon)["is_short"]) == ("entries", True)
    hero.change("full", weapon)
    assert hero.field(*weapon, "damage")["value"] == 1
    assert not hero.field(*weapon)["is_short"]
    assert "      - {name: Fist, type: CW, range: 1, penetration: 1, damage: 1}  # quick\n" in hero.text


def test_a_part_prints_its_sentence_while_its_clauses_are_built(hero: _Form) -> None:
    ability = ("cards", 0, "abilities", 0)
    assert "+1" in hero.field(*ability)["made"]
    state = hero.change("add", (*ability, "effects", 0), "if")
    hero.change("add", state.path, "range_over")
    hero.change("set", (*state.path, "range_over"), 12)
    assert "over 12" in hero.field(*ability)["made"]
    assert "- {when: attacking, if: {range_over: 12}, bearer: {mind: 1}}" in hero.text


def test_items_are_added_moved_and_removed(hero: _Form) -> None:
    abilities = ("cards", 0, "abilities")
    state = hero.change("insert", abilities, 1)
    assert state.path == (*abilities, 1)
    hero.change("set", (*abilities, 1, "name"), "New")
    assert hero.change("move", (*abilities, 1), 0).path == (*abilities, 0)
    assert [each["label"] for each in hero.field(*abilities)["fields"]] == ["New", "Steady"]
    hero.change("remove", (*abilities, 0))
    assert hero.text == HERO


def test_a_sentence_is_read_and_accepted(lamp: _Form) -> None:
    text = lamp.field("text")
    (reading,) = text["readings"]
    assert (reading["level"], text["is_acceptable"], text["is_long"]) == ("read", True, True)
    assert "regains 2" in reading["canonical"]
    lamp.change("accept", ("text",))
    assert lamp.text == (
        "kind: relic\nname: Lamp  # kept\nonce: true\neffects:\n  - {when: activation_start, bearer: {heal: 2}}\n"
    )
    assert lamp.field()["takes_sentences"]


def test_a_text_beside_effects_says_what_to_remove(lamp: _Form) -> None:
    lamp.text += "effects:\n  - {when: attacked, attacker: {mind: -1}}\n"
    lamp.engine.write(lamp.file, lamp.text)
    field = lamp.field("text")
    assert not field["is_acceptable"]
    assert "remove 'effects' first" in field["obstacle"]


def test_a_sentence_adds_effects(lamp: _Form) -> None:
    lamp.change("accept", ("text",))
    sentence = "Each enemy within 6 cm has -1 Body."
    answer = lamp.engine.form.sentence(lamp.file, lamp.text, lamp.key, (), (), sentence)
    assert answer["acceptable"]
    assert lamp.change("sentence", (), sentence).fault == ""
    assert lamp.text.endswith("  - {if: {range_within: 6}, enemies: {body: -1}}\n")
    unread = lamp.change("sentence", (), "The moon is made of cheese.")
    assert unread.fault == "this sentence cannot be written as effects"
    assert unread.text == lamp.text


def test_effects_of_other_cards_are_examples(lamp: _Form) -> None:
    lamp.change("accept", ("text",))
    assert lamp.field("effects")["has_examples"]
    options = lamp.engine.form.options(lamp.file, lamp.text, ("effects", 1), "")
    example = next(each for each in options if each["kind"] == "example")
    assert example["text"].startswith("{")
    lamp.change("example", ("effects",), example["text"])
    assert lamp.text.endswith(f"  - {example['text']}\n")
    assert lamp.change("example", ("effects",), "no map").fault == "this example cannot be read"


def test_the_next_words_of_a_sentence_can_be_chosen(lamp: _Form) -> None:
    options = lamp.engine.form.options(lamp.file, lamp.text, ("text",), "At the start of its activation, the be")
    assert "bearer" in " ".join(each["label"] for each in options if each["kind"] == "clause")


def test_a_text_that_cannot_be_read_says_so(lamp: _Form) -> None:
    lamp.engine.write(lamp.file, "kind: relic\nname: [Lamp\n")
    state = lamp.engine.form.fields(lamp.file, lamp.key, ())
    assert state.field is None
    assert (state.fault, state.line) == ("list is missing a comma or its closing ']'", 2)
    edit = lamp.engine.form.edit(lamp.file, "name: [", lamp.key, (), FormChange("set", ("name",), "x"))
    assert (edit.text, edit.fault) == ("name: [", "the text cannot be read")
    lamp.engine.write(lamp.file, "kind: nonsense\n")
    assert "no card of a kind" in lamp.engine.form.fields(lamp.file, lamp.key, ()).fault


def test_a_card_with_mistakes_still_has_a_form(lamp: _Form) -> None:
    lamp.engine.write(lamp.file, "kind: relic\nqty: many\nonce: 7\ncolour: red\n")
    fields = {each["key"]: each for each in lamp.engine.form.fields(lamp.file, lamp.key, ()).field["fields"]}
    assert (fields["qty"]["widget"], fields["qty"]["value"]) == ("text", "many")
    assert (fields["colour"]["widget"], fields["colour"]["value"]) == ("text", "red")
    assert (fields["name"]["is_required"], fields["name"]["is_set"]) == (True, False)
    assert fields["once"]["value"] == 7


def test_cards_terms_and_icons_can_be_chosen(engine: Engine) -> None:
    def labels(path: KeyPath, prefix: str) -> list[str]:
        return [each["label"] for each in engine.form.options("cards/oath.yaml", WARBAND, path, prefix)]

    assert {"Old Gravel", "old-gravel", "Brother Cael"} <= {*labels(("members", 0, "character"), "")}
    assert labels(("members", 0, "character"), "old gra") == ["Old Gravel"]
    assert "skull" in labels(("motto",), "the {sk")
    icon = next(iter(engine.form.options("cards/oath.yaml", WARBAND, ("motto",), "{skull")))
    assert (icon["text"], icon["replaced"]) == ("skull}", 5)
    assert icon["outline"]["path"].startswith("M")
    assert "Minion" in labels(("text",), "Each mini")


def test_problems_find_their_fields(engine: Engine) -> None:
    engine.write("cards/oath.yaml", WARBAND)
    rows = engine.problems_of("cards/oath.yaml")
    places = engine.form.places("cards/oath.yaml", tuple((row.span.line, row.span.column) for row in rows))
    assert ("members", 0, "character") in places


def test_values_of_defaults_are_named(hero: _Form) -> None:
    hero.change("add", ("cards", 0), "motto")
    assert hero.field("cards", 0, "motto")["inherited"] == "Ours."


def test_a_game_of_the_project_has_forms_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "kind: fighter\nname: Ash\nnerve: 3\nweapons: [Thorn: R1 D2]\n"
    shutil.copytree(Path(__file__).parents[3] / "examples" / "bramble-watch", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    engine = Engine(str(tmp_path))
    (tmp_path / "cards" / "ash.yaml").write_text(text, encoding="utf-8")
    engine.write("cards/ash.yaml", text)
    state = engine.form.fields("cards/ash.yaml", "", ())
    assert state.field, state.fault
    fields = {each["key"]: each for each in state.field["fields"]}
    assert (fields["nerve"]["minimum"], fields["nerve"]["maximum"], fields["nerve"]["value"]) == (1, 5, 3)
    assert "rolled at most" in fields["nerve"]["help"]
    assert fields["weapons"]["fields"][0]["widget"] == "entries"
    assert (fields["stride"]["is_required"], fields["stride"]["is_set"]) == (True, False)


def test_a_very_long_value_is_refused(lamp: _Form) -> None:
    assert "20,000 characters" in lamp.change("set", ("name",), "x" * 20_001).fault


@each_case(
    ("text", "path", "named"),
    [
        (
            "name: A  # a\nmotto: x\nstats: {M: 1}\n",
            ("art",),
            "name: A  # a\nmotto: x\nart: art/a.png\nstats: {M: 1}\n",
        ),
        (
            "cards:\n  - name: A\n    art: old.png  # b\n",
            ("cards", 0, "art"),
            "cards:\n  - name: A\n    art: art/a.png  # b\n",
        ),
        ("name: A\nart: {file: old.png, fit: contain}\n", ("art",), "name: A\nart: {file: art/a.png, fit: contain}\n"),
    ],
)
def test_another_picture_keeps_how_it_fills_its_box(text: str, path: KeyPath, named: str) -> None:
    assert plain_edit(text, FormChange("art", path, {"file": "art/a.png"})) == (named, path, "")


@each_case(
    ("text", "framed"),
    [
        ("name: A\nart: a.png  # b\n", "name: A\nart:\n  file: a.png\n  focus: [0.25, 1]\n  rotate: 90  # b\n"),
        ("art: {file: a.png, rotate: 180}  # b\n", "art: {file: a.png, rotate: 90, focus: [0.25, 1]}  # b\n"),
        ("name: A\n", "name: A\nart: {file: auto, focus: [0.25, 1], rotate: 90}\n"),
    ],
)
def test_how_a_picture_fills_its_box_is_written_beside_its_file(text: str, framed: str) -> None:
    changed = plain_edit(text, FormChange("art", ("art",), {"focus": [0.25, 1], "rotate": 90}))
    assert changed == (framed, ("art",), "")
