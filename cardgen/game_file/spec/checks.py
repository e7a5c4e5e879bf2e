"""Checks in a game file: expressions over the cards of a game."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from cardgen.game_file.spec.formulas import FormulaText, WordsText
from cardgen.game_file.spec.names import KindName, LimitCode
from cardgen.validation.base import Model, Text

MOST_CHECKS, MOST_KINDS_OF_CHECK = 500, 50


def _or_one_kind(schema: dict[str, Any]) -> None:
    """Allow a single kind in the schema of several."""
    several = dict(schema)
    schema.clear()
    schema.update({"anyOf": [several["items"], several], "description": "kind, list, or type to check, or several"})


class CheckSpec(Model):
    """A check: it has a finding for each card for which its expression holds."""

    code: Annotated[LimitCode, Field(description="code of the check, which should not change once published")]
    kind: Annotated[
        tuple[KindName, ...],
        Field(min_length=1, max_length=MOST_KINDS_OF_CHECK, json_schema_extra=_or_one_kind),
    ]
    when: Annotated[FormulaText, Field(description="expression; the check reports cards for which it is true")]
    at: Annotated[Text, Field(max_length=200, description="field to point to, such as heat or weapons/0")] | None = None
    say: Annotated[WordsText, Field(description="message of the finding")]
    help: Annotated[WordsText, Field(description="how to fix the card")] | None = None
    severity: Annotated[Literal["error", "warning", "note"], Field(description="severity of the finding")] = "warning"
    about: Annotated[Text, Field(max_length=200, description="first line of the manual page")] | None = None
    why: Annotated[Text, Field(max_length=2000, description="why such a card is bad")] | None = None
    wrong: Annotated[Mapping[Text, Any], Field(description="keys of a card with the finding")] | None = None
    right: Annotated[Mapping[Text, Any], Field(description="keys of a card without the finding")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_kind(cls, data: Any) -> Any:
        one = isinstance(data, dict) and isinstance(data.get("kind"), str)
        return {**data, "kind": [data["kind"]]} if one else data


CheckSpecs: TypeAlias = Annotated[Mapping[KindName, CheckSpec], Field(max_length=MOST_CHECKS)]
