"""A made-up game with carts, horses, and teams, and its decks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.model.card import Card
from cardgen.model.deck import ALL_KINDS, ALL_NAMES, Deck, Entry, Reference, read_deck
from cardgen.project.project import Project
from cardgen.validation.base import Flag, Int, Model, Number, Text


class Wheel(Model):
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"spokes": ("S",)}

    spokes: Annotated[Int, Field(ge=3, le=48)]
    radius: Annotated[Number, Field(gt=0, lt=200)] = 35


class Cart(Card):
    """A cart, with a key of each type."""

    KIND: ClassVar[str] = "cart"
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {**Card.SYNONYMS, "load": ("cargo",)}

    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1, max_length=4)]
    load: Literal["hay", "coal"] | Flag = False
    spare: Wheel | Text | None = None
    places: dict[str, Int] = Field(default_factory=dict)
    when: Literal["dawn", "dusk"] = Field(default="dawn", alias="if")


class Horse(Card):
    """A horse."""

    KIND: ClassVar[str] = "horse"

    body: Wheel
    speed: Annotated[Int, Field(ge=1)] = 1


class Place(Model):
    horse: Annotated[Text, Reference("horse")]
    side: Literal["left", "right"] = "left"


class Team(Card):
    """Horses in front of a cart."""

    KIND: ClassVar[str] = "team"

    horses: tuple[Place, ...] = ()
    reserve: tuple[Annotated[Text, Reference("horse")], ...] = ()
    grooms: dict[str, Annotated[Text, Reference("horse")]] = Field(default_factory=dict)
    cart: Annotated[Text, Reference("cart")] | None = None


KINDS: dict[str, type[Card]] = {kind.KIND: kind for kind in (Cart, Horse, Team)}
GAMES: dict[str, dict[str, type[Card]]] = {"haulage": KINDS, "racing": {"horse": Horse}}


def deck(root: Path, *texts: str, settings: str = "", library: str = "") -> Deck:
    """Return the deck of files with these texts and settings.

    The files are named a.yaml, b.yaml, and so on.
    """
    if settings:
        (root / "cardgen.yaml").write_text(settings, encoding="utf-8")
    files = [root / f"{name}.yaml" for name, _ in zip("abcdef", texts, strict=False)]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    project = Project.find(root)
    return read_deck(project, files, GAMES, "haulage", [partial(_library, project, library)] if library else ())


def _library(
    project: Project, text: str, game: str, kinds: frozenset[str] = ALL_KINDS, names: frozenset[str] = ALL_NAMES
) -> Iterator[Entry]:
    file = project.root / "library.yaml"
    file.write_text(text, encoding="utf-8")
    return (entry for entry in read_deck(project, [file], GAMES, "haulage").cards if entry.game == game)


def problems(root: Path, *texts: str, settings: str = "", library: str = "") -> list[str]:
    """Return all problems of such a deck."""
    found = deck(root, *texts, settings=settings, library=library)
    return [str(diagnostic) for diagnostic in found.diagnostics]
