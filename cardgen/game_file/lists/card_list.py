"""Models of lists: cards whose members are other cards."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from cardgen.model.card import Card, Copies
from cardgen.rulesets.limits import LimitRule
from cardgen.validation.base import Model


class ListMember(Model):
    """A member of a list: a card by id or name, and its copies.

    Authors write `NAME`, or `NAME: COPIES`.
    """

    card: str
    qty: Copies = 1

    @model_validator(mode="before")
    @classmethod
    def _read_short_form(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"card": data}
        if isinstance(data, dict) and len(data) == 1:
            ((name, value),) = data.items()
            return data if name == "card" and isinstance(value, str) else {"card": name, "qty": value}
        return data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Allow a name, a name with copies, or the full form."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full, name, copies = dict(target), target["properties"]["card"], target["properties"]["qty"]
        bounds = {key: value for key, value in copies.items() if key not in ("default", "title")}
        counted = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": bounds}
        target.clear()
        target["anyOf"] = [name, full, counted]
        return schema


class Sum(NamedTuple):
    """Sum over the members on a roster: label and maximum."""

    label: str
    most: float | None = None


class CardList(Card):
    """A card that lists other cards. `MEMBER_KINDS` are their kinds, and `MEMBER_KIND` is the first of these.

    Rosters print the sums in `LIMITS`.
    """

    MEMBER_KIND: ClassVar[str]
    MEMBER_KINDS: ClassVar[tuple[str, ...]]
    LIMITS: ClassVar[Mapping[str, Sum]] = {}

    members: tuple[ListMember, ...]


class MemberCount(NamedTuple):
    """Fewest and most members with all copies, as annotation metadata."""

    low: int
    high: int
    rule: LimitRule

    @property
    def phrase(self) -> str:
        """The bounds as part of a sentence: 'between 3 and 8'."""
        return f"exactly {self.low}" if self.low == self.high else f"between {self.low} and {self.high}"

    def check(self, members: tuple[ListMember, ...]) -> tuple[ListMember, ...]:
        """Return the members, or raise the rule's error."""
        count = sum(member.qty for member in members)
        if not self.low <= count <= self.high:
            raise self.rule.error("must have {phrase} members, not {count}", phrase=self.phrase, count=count)
        return members

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))
