"""Words are declared once: the schema, the lists, and the tables of code follow from the declarations."""

from dataclasses import dataclass
from typing import Annotated, Any, get_args

import pytest

from cardgen.rulesets.vocabulary import Vocabulary, Word
from cardgen.validation.base import Int, Model


@dataclass(frozen=True, kw_only=True)
class Deed(Word):
    says: str
    state: str = "everything"
    is_sudden: bool = False


def deeds() -> Any:
    class Deeds(Model):
        heal: Annotated[Int, Deed("wounds regained", says="regains {n}", state="wounds", is_sudden=True)] = 0
        fury: Annotated[Int, Deed("more dice", says="rolls {n} more")] = 0

    return Deeds


def test_the_help_of_a_word_describes_its_key() -> None:
    model = deeds()
    words = Vocabulary.of(model, Deed)
    described = {name: part["description"] for name, part in model.model_json_schema()["properties"].items()}
    assert described == {"heal": "wounds regained", "fury": "more dice"}
    assert [*words] == ["heal", "fury"]
    assert words["fury"].name == "fury"


def test_a_word_without_a_fact_is_relevant_to_everything() -> None:
    words = Vocabulary.of(deeds(), Deed)
    assert words.where(lambda deed: deed.state == "everything") == ("fury",)
    assert words.facts(lambda deed: deed.is_sudden) == {"heal": True}


def test_a_fact_without_a_default_must_be_given() -> None:
    with pytest.raises(TypeError, match="says"):
        Deed("more dice")  # type: ignore[call-arg]


def test_a_key_that_declares_no_word_is_refused() -> None:
    class More(deeds()):  # type: ignore[misc]
        rage: Int = 0

    with pytest.raises(TypeError, match=r"More\.rage must declare one Deed, not 0"):
        Vocabulary.of(More, Deed)
    assert [*Vocabulary.of(More, Deed, ("heal",))] == ["heal"]


@pytest.mark.parametrize(("names", "missing"), [({"heal"}, "fury"), ({"heal", "fury", "rage"}, "rage")])
def test_a_table_has_all_words_and_no_others(names: set[str], missing: str) -> None:
    words = Vocabulary.of(deeds(), Deed)
    words.require_all({"heal", "fury"})
    words.require_all({"heal"}, lambda deed: deed.is_sudden)
    with pytest.raises(TypeError, match=missing):
        words.require_all(names)


def test_the_names_are_a_type() -> None:
    spans = Vocabulary({"turn": Word("the end of the turn"), "battle": Word("the end of the battle")})
    assert get_args(spans.literal) == ("turn", "battle")
    assert spans["turn"] == Word("the end of the turn", name="turn")
