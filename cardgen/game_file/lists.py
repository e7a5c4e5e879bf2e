"""Lists of cards of a game in a file: their kinds, models whose members are other cards, and limits of their sums."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from cardgen.checking.check import Check, CheckContext, Finding, Findings
from cardgen.diagnostic import did_you_mean
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.fields import FieldCompiler, FieldPlace
from cardgen.game_file.kinds import example_text
from cardgen.game_file.pieces import NUMBER_TYPES
from cardgen.game_file.spec import LimitSpec, ListSpec, MembersSpec, title_of
from cardgen.model.card import Card, Copies
from cardgen.model.deck import Reference
from cardgen.rulesets.ruleset import ROSTER_SIZE, Kind, cheapest_way_back, finder_in_scope
from cardgen.rulesets.vocabulary import LimitRule
from cardgen.units import with_article
from cardgen.validation.base import Model, Text


class ListMember(Model):
    """A member of a list: a card by id or name, and its copies.

    Authors write `NAME`, or `NAME: COPIES`.
    """

    card: str
    qty: Annotated[Copies, Field(description="number of copies")] = 1

    @model_validator(mode="before")
    @classmethod
    def _read_short_form(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"card": data}
        if not (isinstance(data, dict) and data):
            return data
        (name, value), *others = data.items()
        if not others:
            return data if name == "card" and isinstance(value, str) else {"card": name, "qty": value}
        is_short = isinstance(value, int) and not {"card", "qty"} & data.keys()
        return {"card": name, "qty": value, **dict(others)} if is_short else data  # The others are unknown.

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
        counts = list(accumulate(member.qty for member in members))
        count = counts[-1] if counts else 0
        if not self.low <= count <= self.high:
            surplus = [index for index, sum_so_far in enumerate(counts) if sum_so_far > self.high][:1]
            raise self.rule.error(
                "must have {phrase} members, not {count}", phrase=self.phrase, count=count, path=tuple(surplus)
            )
        return members

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))


ROSTER_TEMPLATE = "shared/plain-roster"


def compile_lists(context: GameContext) -> Iterable[Kind]:
    """Return the kinds of lists of a game.

    Report mistakes in them.
    """
    return [
        _list_kind(name, spec, context) for name, spec in context.spec.lists.items() if _is_valid(name, spec, context)
    ]


def _is_valid(name: str, spec: ListSpec, context: GameContext) -> bool:
    """Report members of an unknown kind, and limits of fields that have no number."""
    unknown = [kind for kind in spec.members.kinds if kind not in context.spec.kinds]
    for kind in unknown:
        index = () if isinstance(spec.members.kind, str) else (spec.members.kind.index(kind),)
        message = f"unknown kind '{kind}'{did_you_mean(kind, context.spec.kinds)}"
        place = ("lists", name, "members", "kind", *index)
        context.report(place, message, f"available: {', '.join(context.spec.kinds)}")
    if unknown:
        return False
    if spec.members.min > spec.members.max:
        message = f"'min' is {spec.members.min}, but 'max' is only {spec.members.max}"
        context.report(("lists", name, "members", "min"), message)
    _check_limits(name, spec, context)
    return True


def _check_limits(name: str, spec: ListSpec, context: GameContext) -> None:
    for field, limit in spec.limits.items():
        path = ("lists", name, "limits", field)
        lacking = [kind for kind in spec.members.kinds if field not in _numbers(kind, context)]
        if lacking:
            numbers = _numbers(lacking[0], context)
            message = f"{with_article(lacking[0])} has no number '{field}'{did_you_mean(field, numbers)}"
            context.report(path, message, f"available: {', '.join(numbers) or 'none'}", key=True)
        elif limit.min is None and limit.max is None:
            context.report(path, "a limit needs 'min', 'max', or both")
        elif limit.min is not None and limit.max is not None and limit.min > limit.max:
            context.report((*path, "min"), f"'min' is {limit.min:g}, but 'max' is only {limit.max:g}")


def _numbers(kind: str, context: GameContext) -> list[str]:
    """Return the fields of a kind that limits can add up."""
    return [key for key, field in context.spec.kinds[kind].fields.items() if field.type in NUMBER_TYPES]


def _list_kind(name: str, spec: ListSpec, context: GameContext) -> Kind:
    compiler = FieldCompiler(context)
    place = ("lists", name, "fields")
    fields: dict[str, Any] = {
        key: compiler.field(field, FieldPlace((*place, key), f"{key} of {with_article(name)}"))
        for key, field in spec.fields.items()
    }
    class_name = "".join(word.capitalize() for word in f"{name}-member".split("-"))
    reference = Reference(spec.members.kinds[0], spec.members.kinds[1:])
    card = Annotated[Text, reference, Field(description="id or name of a card")]
    member: Any = create_model(class_name, __base__=ListMember, card=(card, ...))
    about = Field(description="its cards: a name, or NAME: COPIES")
    members: Any = Annotated[tuple[member, ...], _member_count(name, spec.members, context), about]
    class_name = "".join(word.capitalize() for word in name.split("-"))
    model = create_model(class_name, __base__=CardList, __doc__=spec.help or "", members=(members, ...), **fields)
    model.KIND, model.MEMBER_KIND, model.LIMITS = name, spec.members.kinds[0], _sums(spec, context)
    model.MEMBER_KINDS = spec.members.kinds
    members_line = f"members:\n  - <{spec.members.kinds[0]}>: {max(1, spec.members.min)}\n"
    example = example_text(spec.example) if "members" in spec.example else members_line + example_text(spec.example)
    is_printed = spec.print is not None
    return Kind(
        model,
        ROSTER_SIZE if is_printed else "",
        example,
        can_rotate=False,
        generic=ROSTER_TEMPLATE if is_printed else "",
        title=spec.title or "",
    )


def _sums(spec: ListSpec, context: GameContext) -> Mapping[str, Sum]:
    """Return what rosters print of the limits."""
    fields = context.spec.kinds[spec.members.kinds[0]].fields
    return {
        name: Sum((fields[name].label if name in fields else None) or title_of(name), limit.max)
        for name, limit in spec.limits.items()
    }


def _member_count(name: str, spec: MembersSpec, context: GameContext) -> MemberCount:
    bare = MemberCount(spec.min, spec.max, LimitRule("", "", ""))
    context.check_prefix(spec.code, ("lists", name, "members", "code"))
    rule = context.limits.rule(spec.code or "", f"the members of {with_article(name)}", f"are {bare.phrase}")
    return MemberCount(spec.min, spec.max, rule)


# The number of the code of limits that have none of their own.
GENERAL_NUMBER = "190"


def compile_list_limits(context: GameContext) -> Iterable[Check]:
    """Return a check for each code of a limit.

    Its manual page lists all limits with the code.
    """
    pages: dict[str, list[str]] = {}
    checks: list[Check] = []
    for name, spec in context.spec.lists.items():
        if name not in context.kinds or not context.kinds.keys() >= {*spec.members.kinds}:
            continue
        model = context.kinds[name].model
        members = tuple(context.kinds[kind].model for kind in spec.members.kinds)
        for field, limit in spec.limits.items():
            if limit.min is None and limit.max is None:
                continue  # a mistake that is reported with the kinds
            context.check_prefix(limit.code, ("lists", name, "limits", field, "code"))
            code = limit_code(limit, context)
            pages.setdefault(code, []).append(f"The {field} of {with_article(name)} add up to {_phrase(limit)}.")
            find = partial(_find, members, field, limit)
            checks.append(Check(code, "", "", looks_at=(model,), find=find))
    return [_merge(code, [check for check in checks if check.code == code], lines) for code, lines in pages.items()]


def limit_code(limit: LimitSpec, context: GameContext) -> str:
    """Return the code of a limit."""
    return limit.code or f"{context.spec.prefix}{GENERAL_NUMBER}"


def _merge(code: str, checks: list[Check], lines: Iterable[str]) -> Check:
    """Return one check that looks at every list with a limit of this code."""
    page = "A list whose members add up to too much or too little.\n\nWhy is this bad?\n"
    page += "".join(f"    {line}\n" for line in dict.fromkeys(lines))
    models = tuple(dict.fromkeys(model for check in checks for model in check.looks_at))

    def find(card: CardList, context: CheckContext) -> Findings:
        for check in checks:
            if isinstance(card, check.looks_at) and check.find:
                yield from check.find(card, context)

    return Check(code, f"{code[:2].lower()}-list-limit-{code[2:]}", page, looks_at=models, find=find)


def _find(
    members: tuple[type[Card], ...], field: str, limit: LimitSpec, card: CardList, context: CheckContext
) -> Iterator[Finding]:
    """Yield a finding if the members exceed or miss a limit.

    Unknown members are reported elsewhere.
    """
    find = finder_in_scope(context.scope)
    cards = ((each, (find(model, each.card) for model in members[::-1])) for each in card.members)
    amounts = [(each, next(filter(None, found), None)) for each, found in cards]
    if any(found is None for _, found in amounts):
        return
    total = sum((getattr(found, field) or 0) * each.qty for each, found in amounts)
    if (limit.min is None or total >= limit.min) and (limit.max is None or total <= limit.max):
        return
    surplus = total - limit.max if limit.max is not None else -1
    amount = f"{field} is {(limit.min or 0) - total:g} or more in all"
    advice = f"add members whose {amount}"
    if surplus > 0:
        costs = [(found.name, getattr(found, field) or 0, each.qty) for each, found in amounts if found]
        advice = cheapest_way_back(costs, surplus)
    yield Finding(f"the {field} of the members must add up to {_phrase(limit)}, not {total:g}", ("members",), advice)


def _phrase(limit: LimitSpec) -> str:
    if limit.min is None:
        return f"at most {limit.max:g}"
    if limit.max is None:
        return f"at least {limit.min:g}"
    return f"exactly {limit.min:g}" if limit.min == limit.max else f"between {limit.min:g} and {limit.max:g}"
