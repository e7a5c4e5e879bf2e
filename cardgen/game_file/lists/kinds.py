"""Kinds of lists, from a game file: their members and their limits."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import create_model

from cardgen.game_file.cards.field_types import FieldCompiler, FieldPlace
from cardgen.game_file.cards.kinds import example_text
from cardgen.game_file.cards.pieces.compiler import NUMBER_TYPES
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists.card_list import CardList, ListMember, MemberCount, Sum
from cardgen.game_file.output.field_words import title_of
from cardgen.game_file.spec.lists import ListSpec, MembersSpec
from cardgen.model.references import Reference
from cardgen.rulesets.limits import LimitRule
from cardgen.rulesets.packs import ROSTER_SIZE
from cardgen.rulesets.ruleset import Kind
from cardgen.validation.base import Text
from cardgen.validation.suggestion import did_you_mean

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
            message = f"a {lacking[0]} has no number '{field}'{did_you_mean(field, numbers)}"
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
        key: compiler.field(field, FieldPlace((*place, key), f"{key} of a {name}"))
        for key, field in spec.fields.items()
    }
    member: Any = _member_model(name, spec.members)
    members: Any = Annotated[tuple[member, ...], _member_count(name, spec.members, context)]
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
    )


def _sums(spec: ListSpec, context: GameContext) -> Mapping[str, Sum]:
    """Return what rosters print of the limits."""
    fields = context.spec.kinds[spec.members.kinds[0]].fields
    return {
        name: Sum((fields[name].label if name in fields else None) or title_of(name), limit.max)
        for name, limit in spec.limits.items()
    }


def _member_model(name: str, spec: MembersSpec) -> Any:
    class_name = "".join(word.capitalize() for word in f"{name}-member".split("-"))
    reference = Reference(spec.kinds[0], spec.kinds[1:])
    return create_model(class_name, __base__=ListMember, card=(Annotated[Text, reference], ...))


def _member_count(name: str, spec: MembersSpec, context: GameContext) -> MemberCount:
    bare = MemberCount(spec.min, spec.max, LimitRule("", "", ""))
    context.check_prefix(spec.code, ("lists", name, "members", "code"))
    rule = context.limits.rule(spec.code or "", f"the members of a {name}", f"are {bare.phrase}")
    return MemberCount(spec.min, spec.max, rule)
