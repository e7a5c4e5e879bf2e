"""Settings that `cardgen.yaml` accepts; every key has a default."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, PlainValidator, WithJsonSchema

from cardgen.diagnostic import Severity
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size, parse_length, parse_size
from cardgen.validation.base import Flag, Model, Text

_LENGTH_PATTERN = r"^\s*([0-9]+(\.[0-9]+)?|\.[0-9]+)\s*(mm|cm|inch|in|\"|pt)?\s*$"


def _read_length(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("write a number with a unit, such as 3mm, 0.125in or 8pt")  # noqa: TRY004 - pydantic's way
    return parse_length(value)


def _size_validator(names: Mapping[str, Size]) -> PlainValidator:
    def read(value: object) -> Size:
        if not isinstance(value, str):
            raise ValueError(f"write one of {', '.join(names)}, or for instance 70mm x 120mm")  # noqa: TRY004
        return parse_size(value, dict(names))

    return PlainValidator(read)


Length: TypeAlias = Annotated[
    float,
    PlainValidator(_read_length),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": _LENGTH_PATTERN}]}),
]
PaperSize: TypeAlias = Annotated[Size, _size_validator(PAPER_SIZES), WithJsonSchema({"type": "string", "minLength": 2})]
CardSize: TypeAlias = Annotated[Size, _size_validator(CARD_SIZES), WithJsonSchema({"type": "string", "minLength": 2})]


class CheckSettings(Model):
    """Which checks are passed over, by code or name, and from which gravity on a check run fails."""

    ignore: tuple[Text, ...] = ()
    fail_level: Severity = Severity.WARNING


class Settings(Model):
    """A project's settings; lengths in millimetres.

    `game` is None for the default game, `layout` is 'grid', 'packed' or 'single', and a `sprue` stands in its place.
    `sizes` names a size for kinds of card. Backs paint `back_bleed` further beyond the cut than fronts. `printer` names
    profiles in the user's configuration folder, `cut_list` adds a page that says how to cut where cuts have numbers,
    `rulings` are those turned over.
    """

    game: Text | None = None
    paper: PaperSize = PAPER_SIZES["a4"]
    layout: Text = "grid"
    sprue: Text | None = None
    sizes: Mapping[str, CardSize] = Field(default_factory=dict)
    bleed: Length = 3.0
    gap: Length = 0.0
    margin: Length = 5.0
    backs: Literal["long-edge", "short-edge", "gutterfold", "none"] = "long-edge"
    back_bleed: Length = 0.0
    printer: Text = "default"
    cut_list: Flag = True
    theme: Text = "default"
    rulings: Mapping[str, Text] = Field(default_factory=dict)
    check: CheckSettings = CheckSettings.model_construct()
