"""The card that every ruleset's kinds extend: the keys that all cards have."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from cardgen.model.base import Int, Model, Number, Text

Share = Annotated[Number, Field(ge=0, le=1)]
Copies = Annotated[Int, Field(ge=1, le=500)]
Identifier = Annotated[str, Field(strict=True, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]


def slug(name: str) -> str:
    """The id that follows from a name: 'Warp Channeler' gives 'warp-channeler'."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


class Art(Model):
    """A picture: a file inside the project, and how it fills its box.

    `focus` is the point that stays in sight when the picture is cut, as shares of its width and height from the
    top left corner.
    """

    file: Text
    fit: Literal["cover", "contain"] = "cover"
    focus: tuple[Share, Share] = (0.5, 0.5)
    credit: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, data: Any) -> Any:
        return {"file": data} if isinstance(data, str) else data


class Card(Model):
    """What every card has; a ruleset's kinds add their own keys.

    `KIND` is the kind's name in the card files. `text` stands for the text that would be made from effects.
    """

    KIND: ClassVar[str] = ""
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"qty": ("count", "copies", "quantity")}

    name: Annotated[Text, Field(max_length=80)]
    id: Identifier = ""
    qty: Copies = 1
    text: Text | None = None
    art: Art | None = None
    back: Text | None = None
    template: Text | None = None
    theme: Text | None = None
    size: Text | None = None
    motto: Text | None = None
    credit: Text | None = None
    tags: tuple[Text, ...] = ()
    note: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _id_from_name(cls, data: Any) -> Any:
        if isinstance(data, dict) and "id" not in data and isinstance(data.get("name"), str):
            return {**data, "id": slug(data["name"])}
        return data
