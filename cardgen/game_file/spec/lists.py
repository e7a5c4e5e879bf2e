"""Lists in a game file: cards that name other cards, with limits."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from cardgen.game_file.spec.formulas import FormulaText
from cardgen.game_file.spec.kinds import MOST_FIELDS, FieldSpec
from cardgen.game_file.spec.names import CardKey, FieldName, KindName, LimitCode
from cardgen.validation.base import Int, Model, Number, Text

MOST_LISTS, MOST_LIMITS, MOST_MEMBERS = 20, 20, 500

MemberCount: TypeAlias = Annotated[Int, Field(ge=0, le=MOST_MEMBERS)]


MOST_MEMBER_KINDS = 20
MemberKinds: TypeAlias = KindName | Annotated[tuple[KindName, ...], Field(min_length=1, max_length=MOST_MEMBER_KINDS)]


class MembersSpec(Model):
    """The members of a list: their kind, and bounds for their number.

    Copies count.
    """

    kind: Annotated[MemberKinds, Field(description="kind of the members, or several")]
    min: Annotated[MemberCount, Field(description="fewest members, with copies")] = 1
    max: Annotated[MemberCount, Field(description="most members, with copies")] = MOST_MEMBERS
    code: Annotated[LimitCode, Field(description="code of the bounds, if not the general one")] | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the members."""
        return (self.kind,) if isinstance(self.kind, str) else tuple(dict.fromkeys(self.kind))


class LimitSpec(Model):
    """Bounds of the sum of a field of all members."""

    min: Annotated[Number, Field(description="lowest sum")] | None = None
    max: Annotated[Number, Field(description="highest sum")] | None = None
    code: Annotated[LimitCode, Field(description="code of the limit, if not the general one of lists")] | None = None


class PackSpec(Model):
    """What the pack of a list has, besides the list, its members, and the pieces made from them."""

    named: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of cards that members name")] = ()
    also: Annotated[tuple[KindName, ...], Field(max_length=20, description="kinds of which it has all cards")] = ()
    pieces: Annotated[
        Mapping[KindName, Mapping[KindName, FormulaText]],
        Field(max_length=20, description="numbers of cards or pieces, by kind and id"),
    ] = {}


class ListSpec(Model):
    """A kind of card that lists other cards, such as a warband."""

    members: Annotated[MembersSpec, Field(description="what the list contains")]
    limits: Annotated[
        Mapping[FieldName, LimitSpec], Field(max_length=MOST_LIMITS, description="bounds of sums, by field")
    ] = {}
    pack: Annotated[PackSpec, Field(description="what else is printed with the list")] = PackSpec()
    fields: Annotated[Mapping[CardKey, FieldSpec], Field(max_length=MOST_FIELDS, description="further keys")] = {}
    example: Annotated[Mapping[Text, Any], Field(default_factory=dict, description="keys of a new list")]
    print: Annotated[Literal["roster"], Field(description="print the list as a roster")] | None = None
    help: Annotated[Text, Field(max_length=200, description="explains the list to authors")] | None = None


ListSpecs: TypeAlias = Annotated[Mapping[KindName, ListSpec], Field(max_length=MOST_LISTS)]
