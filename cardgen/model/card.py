"""Base class of all cards, with the keys that every card has."""

import hashlib
import re
import unicodedata
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.validation.base import Int, Model, Number, Text

MAX_NAME_LENGTH = 80

Share = Annotated[Number, Field(ge=0, le=1)]
Copies = Annotated[Int, Field(ge=1, le=500)]
Identifier = Annotated[
    str,
    Field(
        strict=True,
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=MAX_NAME_LENGTH,
        description="small letters and digits with single hyphens between, such as warp-channeler",
    ),
]


def _drop_default(schema: dict[str, Any]) -> None:
    """The default follows from the name, which no schema can say."""
    schema.pop("default", None)


def slugify(name: str) -> str:
    """The id that follows from a name: 'Warp Channeler' gives 'warp-channeler'.

    A name without any letter from a to z and any digit gives 'card-' and a hash of it; the same everywhere.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:MAX_NAME_LENGTH].strip("-")
    normal = unicodedata.normalize("NFC", name)
    return words or f"card-{hashlib.sha256(normal.encode('utf-8', 'replace')).hexdigest()[:8]}"


class Art(Model):
    """A picture: a file inside the project, and how it fills its box.

    `focus` is the point that stays in sight when the picture is cut, as shares of its width and height from the
    top left corner. The file's path alone is the short form.
    """

    file: Text
    fit: Literal["cover", "contain"] = "cover"
    focus: tuple[Share, Share] = (0.5, 0.5)
    credit: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, data: Any) -> Any:
        return {"file": data} if isinstance(data, str) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The full form, or the path alone."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full = dict(target)
        target.clear()
        target.update({"title": "Art", "anyOf": [full, full["properties"]["file"]]})
        return schema


class Card(Model):
    """What every card has; a ruleset's kinds add their own keys.

    `KIND` is the kind's name in the card files. `text` stands for the text that would be made from effects.
    """

    KIND: ClassVar[str] = ""
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"qty": ("count", "copies", "quantity")}

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="the card's name, which is printed")]
    id: Annotated[Identifier, Field(json_schema_extra=_drop_default)] = ""
    qty: Annotated[Copies, Field(description="how many copies are printed")] = 1
    text: Annotated[Text, Field(description="printed instead of the text made from effects")] | None = None
    art: Annotated[Art, Field(description="a picture's path inside the project, or how it fills its box")] | None = None
    back: Annotated[Text, Field(description="another back than the kind has: a template's name")] | None = None
    template: Annotated[Text, Field(description="another front than the kind has: a template's name")] | None = None
    theme: Annotated[Text, Field(description="another theme than the project has, such as low-ink")] | None = None
    size: Annotated[Text, Field(description="another size than the kind has, such as tarot")] | None = None
    motto: Annotated[Text, Field(description="a line of its own, where the template has room")] | None = None
    credit: Annotated[Text, Field(description="who made the card or its picture")] | None = None
    tags: Annotated[tuple[Text, ...], Field(description="words to select cards by")] = ()
    note: Annotated[str, Field(description="for authors; never printed")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _id_from_name(cls, data: Any) -> Any:
        if isinstance(data, dict) and "id" not in data and isinstance(data.get("name"), str):
            return {**data, "id": slugify(data["name"])}
        return data
