"""Functions of templates that are drawings."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from cardgen.face.theme import DrawingFunctions, FontFamilies, TextStyle, Theme
from cardgen.model.card import Card
from cardgen.model.deck import Reference
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.sandbox.values import LinkedName
from cardgen.validation.base import Flag, Number, Text
from tests.cases import each_case

THEME = Theme(
    fonts={"text": FontFamilies(family="Archivo"), "display": FontFamilies(family="P052")},
    styles={"body": TextStyle(font="text", size=9), "title": TextStyle(font="display", size=14, bold=True)},
)


class Thief(Card):
    KIND: ClassVar[str] = "thief"

    hits: Annotated[Text, Reference("ware")] = "mirror"
    armed: Flag = False
    weight: Number = 1.0
    mood: Literal["on_edge", "self-made"] | None = None
    tools: tuple[Annotated[Literal["rope", "lamp"], "note"], ...] = ()
    rivals: tuple[Annotated[Text, Reference("thief")], ...] = ("ann", "bob")


def named(name: str) -> LinkedName:
    return LinkedName(name, lambda: Card(name=name.title()))


def functions() -> DrawingFunctions:
    return DrawingFunctions(
        THEME,
        lambda thing: (getattr(thing, "text", None) or "").replace("Ware", "**Ware**"),
        lambda: ("Archivo", "P052", "Lato"),
    )


def test_the_own_text_of_a_card_has_the_bold_terms_of_its_game() -> None:
    card = Card(name="Thief", text="Lose a Ware.")
    assert functions().field_text(card, "text") == "Lose a **Ware**."
    assert functions().field_text(card, "name") == "Thief"


def test_a_field_that_names_cards_has_their_names() -> None:
    links = {"hits": named("mirror"), "rivals": (named("ann"), named("bob"))}
    card = Thief(name="Tom", motto="mirror").model_copy(update=links)
    assert functions().field_text(card, "hits") == "Mirror"
    assert functions().field_text(card, "rivals") == "Ann\n\nBob"
    assert functions().field_text(card, "motto") == "mirror"


def test_flags_and_numbers_are_printed_for_readers_of_any_language() -> None:
    card = Thief(name="Tom", armed=True, weight=1.5, language="de")
    texts = [functions().field_text(card, name) for name in ("armed", "weight")]
    assert texts == ["✓", "1,5"]
    assert functions().field_text(card.model_copy(update={"language": None}), "weight") == "1.5"


def test_a_path_leads_through_a_named_card_to_its_fields() -> None:
    ann = Thief(name="Ann", mood="on_edge", text="Lose a Ware.").model_copy(update={"hits": named("mirror")})
    card = Thief(name="Tom").model_copy(update={"hits": LinkedName("ann", lambda: ann)})
    texts = [functions().field_text(card, f"hits.{name}") for name in ("name", "mood", "text", "hits", "hits.name")]
    assert texts == ["Ann", "On edge", "Lose a **Ware**.", "Mirror", "Mirror"]
    assert functions().field_text(Thief(name="Tom"), "hits.name") == ""


def test_words_of_a_choice_begin_with_a_capital_letter() -> None:
    """As they do on faces without a template."""
    card = Thief(name="Tom", mood="on_edge", tools=("rope", "lamp"), motto="rope")
    texts = [functions().field_text(card, name) for name in ("mood", "tools", "motto")]
    assert texts == ["On edge", "Rope\n\nLamp", "rope"]
    assert functions().field_text(Thief(name="Tom"), "mood") == ""


def test_a_part_with_a_line_is_printed_as_it() -> None:
    weapon = Profile(name="Tongs", type="CW", range=1, penetration=2)
    assert functions()._part(weapon) == "**Tongs** CW R1 P2"


@each_case(
    ("look", "style", "family", "mark"),
    [
        (("Archivo", False, False), "body", "", ""),
        (("archivo", True, False), "body", "", "**"),
        (("P052", True, False), "title", "", ""),
        (("P052", False, False), "body", 'family="P052"', ""),
        (("P052", False, True), "body", 'family="P052"', "*"),
        (("Lato", True, False), "body", 'family="Lato"', "**"),
        (("Lato Black", False, False), "body", 'family="Lato"', "**"),
        (("Archivo Medium", False, False), "body", "", ""),
        (("Papyrus", False, False), "body", "", ""),
        (("sans-serif", True, False), "body", "", "**"),
    ],
)
def test_fonts_are_those_of_the_theme_or_of_the_project(
    look: tuple[str, bool, bool], style: str, family: str, mark: str
) -> None:
    assert functions().font_look(*look) == {"style": style, "family": family, "begin": mark, "end": mark[::-1]}
