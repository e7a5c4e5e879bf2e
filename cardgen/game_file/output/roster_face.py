"""What templates can ask about lists, blanks, and tokens of a game file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.game_file.cards.pieces.compiler import FilledInBlank
from cardgen.game_file.lists.card_list import CardList
from cardgen.model.card import Card


def members(card: Card) -> list[dict[str, object]]:
    """Return the members of a list, each with its kind, its name or id as written, and its copies."""
    if not isinstance(card, CardList):
        return []
    return [{"kind": card.MEMBER_KIND, "name": each.card, "copies": each.qty} for each in card.members]


def limits(card: Card) -> list[dict[str, object]]:
    """Return the limits of a list, each with its field, its label, and the most that its members may add up to."""
    every = card.LIMITS if isinstance(card, CardList) else {}
    return [{"field": field, "label": limit.label, "most": limit.most} for field, limit in every.items()]


def form(card: Card) -> dict[str, tuple[str, ...]]:
    """Return what is filled in on a blank: the labels of numbers, and of everything else."""
    if not isinstance(card, FilledInBlank):
        return {"numbers": (), "words": ()}
    return card.FORMS[card.of]._asdict()


def flip_side(card: Card) -> Card:
    """Return a token with the number of its back as its value, for the text of the back."""
    flip = getattr(card, "flip", None)
    return card.model_copy(update={"value": flip}) if flip else card


ROSTER_FUNCTIONS: Mapping[str, Callable[[Card], object]] = {
    function.__name__: function for function in (members, limits, form, flip_side)
}
