"""What games share for their reference sheets: cards to select, tables, texts, facts, and a configuration."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.model.card import Card
from cardgen.referee.parameters import Ruling
from cardgen.reference.document_tree import DefinitionList, Table
from cardgen.reference.resolve import NotAvailableError
from cardgen.rulesets.reference import INLINE_VALUES, GameData, default_config, fact_values, rows_table, text_entries
from cardgen.rulesets.ruleset import Ruleset

ASH, COAL = Card(name="Ash", id="ash"), Card(name="Coal", id="coal")
RULES = Ruleset("ember", "Ember", {}, lambda thing: "", lambda thing: "", (), ())
DATA = GameData(RULES, {"brave": (ASH, COAL)}, {"sixes": "never"}, lambda kind, name: None)


def test_cards_are_selected_by_an_option_by_a_list_or_all() -> None:
    assert DATA.select("brave", ["Coal"], ["Ash"]) == (COAL,)
    assert DATA.select("brave", (), ["coal", None, "Ash", "coal"]) == (COAL, ASH)
    assert DATA.select("brave", (), []) == ()
    assert DATA.select("brave") == (ASH, COAL)
    assert DATA.select("stranger") == ()


def test_a_name_that_no_card_has_leads_to_the_option() -> None:
    with pytest.raises(NotAvailableError, match="unknown brave 'Cole'") as refused:
        DATA.select("brave", ["Ash", "Cole"])
    assert refused.value.route == ("only", 1)


def test_what_is_empty_gives_no_block() -> None:
    assert [*rows_table(("", "H"), ()), *text_entries(())] == []
    (block,) = rows_table(("", "H"), (("Ash", "4"),))
    assert isinstance(block, Table)
    assert not block.row_headers
    (entries,) = text_entries([("Ash", "Gives **Heat**.")])
    assert isinstance(entries, DefinitionList)
    assert [(heading, text.plain_text) for heading, text in entries.entries] == [("Ash", "Gives Heat.")]


def test_a_fact_is_a_text_or_follows_from_the_data() -> None:
    quote = fact_values({"sides": "6", "sixes": lambda data: data.rulings["sixes"]})
    assert (quote("sides", DATA), quote("sixes", DATA)) == ("6", "never")
    with pytest.raises(NotAvailableError, match="unknown fact 'side'") as refused:
        quote("side", DATA)
    assert refused.value.help == "available: sides, sixes"


def test_policies_are_at_their_defaults() -> None:
    config = default_config(DATA, [Ruling("aim", "At whom?", {"near": "The nearest.", "far": "The farthest."})])
    assert (config.rulings, config.policy) == ({"sixes": "never"}, {"aim": "near"})


@pytest.mark.parametrize(
    ("argument", "quoted"),
    [
        ("sixes", "Never.†"),
        ("sixes | always: Sixes burn. | never: Sixes do not burn.", "Sixes do not burn.†"),
        ("sixes | always: Sixes burn. | never:", ""),
        ("sixes | always: Sixes burn.", "*Do sixes burn?* Never.†"),
    ],
)
def test_the_answer_of_a_ruling_is_marked_as_one(argument: str, quoted: str) -> None:
    ruling = Ruling("sixes", "Do sixes burn?", {"always": "Always.", "never": "Never."})
    data = replace(DATA, rules=RULES._replace(rulings=(ruling,)))
    assert INLINE_VALUES["ruling"](argument, data).replace(" *(turned over)*", "") == quoted
