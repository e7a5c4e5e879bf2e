"""The first question about a card: it is in its role, and other cards are where one must be."""

from __future__ import annotations

from cardgen.options import NUMBER
from cardgen.studio.engine.answers import CardRow
from cardgen.studio.engine.rule_answers import RefereeForm, TrialForm
from cardgen.studio.form_values import first_role, main_fields, start_values
from cardgen.studio.page_words import CHOICE, SEVERAL, FieldChoice, OptionField

ATTACK = TrialForm(
    "attack",
    "",
    (
        OptionField("attacker", "Attacker", CHOICE, source="hero", is_required=True),
        OptionField("target", "Target", CHOICE, source="hero", is_required=True),
        OptionField("damage", "Damage", NUMBER, low=2, high=9, is_required=True),
        OptionField("charm", "Charm", CHOICE, source="charm"),
        OptionField("others", "Others", SEVERAL, source="hero ally"),
    ),
)
FORM = RefereeForm((ATTACK,), sources={"hero": (FieldChoice("ash", "Ash"), FieldChoice("elm", "Elm"))})


def _card(kind: str, id_: str) -> CardRow:
    return CardRow(f"ember/{kind}/{id_}", id_, id_, "ember", kind, "cards/a.yaml", 1, (), (), True, "1")


def test_a_fighter_attacks_another() -> None:
    assert start_values(FORM, ATTACK, _card("hero", "ash")) == {"attacker": "ash", "target": "elm", "damage": 2}


def test_equipment_is_with_somebody() -> None:
    values = start_values(FORM, ATTACK, _card("charm", "salt"))
    assert values == {"attacker": "ash", "target": "elm", "damage": 2, "charm": "salt"}


def test_cards_that_are_selected_come_before_those_that_must_be_somebody() -> None:
    values = start_values(FORM, ATTACK, _card("hero", "elm"), ["ash", "nobody"])
    assert values == {"attacker": "elm", "target": "ash", "damage": 2}


def test_a_card_can_be_one_of_several() -> None:
    assert first_role(ATTACK, "ally") == "others"
    assert start_values(FORM, ATTACK, _card("ally", "oak"))["others"] == ["oak"]
    assert first_role(ATTACK, "mission") == ""


def test_required_options_the_role_of_the_card_and_a_few_others_are_shown_at_once() -> None:
    more = tuple(OptionField(name, name) for name in ("weapon", "distance", "cover"))
    trial = TrialForm("attack", "", (*ATTACK.fields[:3], *more, *ATTACK.fields[3:]))
    names = [field.name for field in main_fields(trial, "charm")]
    assert names == ["attacker", "target", "damage", "weapon", "distance", "charm"]
