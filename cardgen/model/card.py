"""Base class of all cards, with the keys that every card has."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.validation.base import Flag, Int, Model, Number, Text
from cardgen.validation.suggestion import MAX_NAME_LENGTH, slugify

Share = Annotated[Number, Field(ge=0, le=1)]
MAX_COPIES = 500
Copies = Annotated[Int, Field(ge=1, le=MAX_COPIES)]
Identifier = Annotated[
    str,
    Field(
        strict=True,
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=MAX_NAME_LENGTH,
        description="lowercase letters and digits, separated by single hyphens, such as warp-channeler",
    ),
]


def _drop_default(schema: dict[str, Any]) -> None:
    """Drop the default, which depends on the name."""
    schema.pop("default", None)


class Art(Model):
    """Picture: a file inside the project, and how it fills its box.

    `focus` is the point that stays visible if the picture is cropped, as fractions of its width and height from the top
    left corner. The short form is the path of the file.
    """

    file: Text
    fit: Literal["cover", "contain"] = "cover"
    focus: tuple[Share, Share] = (0.5, 0.5)
    credit: Text | None = None

    def __str__(self) -> str:
        """Return the path, so that templates can write file="{{ card.portrait }}"."""
        return self.file

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, data: Any) -> Any:
        return {"file": data} if isinstance(data, str) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the full form or the path alone."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full = dict(target)
        target.clear()
        target.update({"title": "Art", "anyOf": [full, full["properties"]["file"]]})
        return schema


class Card(Model):
    """Base of all cards; each kind adds its own keys.

    `KIND` is the kind's name in card files. `text` replaces the text generated from effects. Kinds without `HAS_RULES`
    are printed pieces, such as tokens, which can be equal.
    """

    KIND: ClassVar[str] = ""
    HAS_RULES: ClassVar[bool] = True
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"qty": ("count", "copies", "quantity")}

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH, description="the card's printed name")]
    id: Annotated[Identifier, Field(json_schema_extra=_drop_default)] = ""
    qty: Annotated[Copies, Field(description="number of copies to print")] = 1
    draft: Annotated[Flag, Field(description="true for a card that is checked but not printed")] = False
    text: Annotated[Text, Field(description="printed instead of the text generated from effects")] | None = None
    art: (
        Annotated[Art, Field(description="path of a picture, 'auto' for art/<id>.*, or a map with its file and fit")]
        | None
    ) = None
    back: (
        Annotated[Text, Field(description="path of a picture or name of a back template, if not the kind's")] | None
    ) = None
    template: Annotated[Text, Field(description="name of a front template, if not the kind's")] | None = None
    theme: Annotated[Text, Field(description="name of a theme, such as low-ink, if not the project's")] | None = None
    size: Annotated[Text, Field(description="size, such as tarot, if not the kind's")] | None = None
    motto: Annotated[Text, Field(description="a separate line, if the template has room for it")] | None = None
    credit: Annotated[Text, Field(description="who made the card or its picture")] | None = None
    tags: Annotated[tuple[Text, ...], Field(description="words to select cards by")] = ()
    note: Annotated[str, Field(description="for authors; never printed")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _id_from_name(cls, data: Any) -> Any:
        if isinstance(data, dict) and "id" not in data and isinstance(data.get("name"), str):
            return {**data, "id": slugify(data["name"])}
        return data
