"""Kinds of lists, from a game file: their members and their limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import create_model

from cardgen.game_file.cards.field_types import FieldCompiler, FieldPlace
from cardgen.game_file.cards.kinds import example_text
from cardgen.game_file.cards.pieces.compiler import NUMBER_TYPES
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists.card_list import CardList, ListMember, MemberCount, Sum
from cardgen.game_file.output.card_face import title_of
from cardgen.game_file.spec.lists import ListSpec, MembersSpec
from cardgen.model.references import Reference
from cardgen.rulesets.limits import LimitRule
from cardgen.rulesets.piece_kinds import ROSTER_SIZE
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
    member = context.spec.kinds.get(spec.members.kind)
    if member is None:
        message = f"unknown kind '{spec.members.kind}'{did_you_mean(spec.members.kind, context.spec.kinds)}"
        place = ("lists", name, "members", "kind")
        context.report(place, message, f"available: {', '.join(context.spec.kinds)}")
        return False
    if spec.members.min > spec.members.max:
        message = f"'min' is {spec.members.min}, but 'max' is only {spec.members.max}"
        context.report(("lists", name, "members", "min"), message)
    numbers = [key for key, field in member.fields.items() if field.type in NUMBER_TYPES]
    for field, limit in spec.limits.items():
        path = ("lists", name, "limits", field)
        if field not in numbers:
            message = f"a {spec.members.kind} has no number '{field}'{did_you_mean(field, numbers)}"
            context.report(path, message, f"available: {', '.join(numbers) or 'none'}", key=True)
        elif limit.min is None and limit.max is None:
            context.report(path, "a limit needs 'min', 'max', or both")
        elif limit.min is not None and limit.max is not None and limit.min > limit.max:
            context.report((*path, "min"), f"'min' is {limit.min:g}, but 'max' is only {limit.max:g}")
    return True


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
    model.KIND, model.MEMBER_KIND, model.LIMITS = name, spec.members.kind, _sums(spec, context)
    members_line = f"members:\n  - <{spec.members.kind}>: {max(1, spec.members.min)}\n"
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
    fields = context.spec.kinds[spec.members.kind].fields
    return {
        name: Sum((fields[name].label if name in fields else None) or title_of(name), limit.max)
        for name, limit in spec.limits.items()
    }


def _member_model(name: str, spec: MembersSpec) -> Any:
    class_name = "".join(word.capitalize() for word in f"{name}-member".split("-"))
    return create_model(class_name, __base__=ListMember, card=(Annotated[Text, Reference(spec.kind)], ...))


def _member_count(name: str, spec: MembersSpec, context: GameContext) -> MemberCount:
    bare = MemberCount(spec.min, spec.max, LimitRule("", "", ""))
    context.check_prefix(spec.code, ("lists", name, "members", "code"))
    rule = context.limits.rule(spec.code or "", f"the members of a {name}", f"are {bare.phrase}")
    return MemberCount(spec.min, spec.max, rule)
