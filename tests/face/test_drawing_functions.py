"""Functions of templates that are drawings."""

from __future__ import annotations

from cardgen.face.drawing_functions import DrawingFunctions
from cardgen.face.theme import Theme
from cardgen.model.card import Card


def functions() -> DrawingFunctions:
    return DrawingFunctions(Theme(), lambda thing: (getattr(thing, "text", None) or "").replace("Ware", "**Ware**"))


def test_the_own_text_of_a_card_has_the_bold_terms_of_its_game() -> None:
    card = Card(name="Thief", text="Lose a Ware.")
    assert functions().field_text(card, "text") == "Lose a **Ware**."
    assert functions().field_text(card, "name") == "Thief"
