"""Fields that a project adds to kinds of a game.

They have the same form and the same types as the fields of a game file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from cardgen.diagnostic import Code, Diagnostic, did_you_mean, stop_on_errors
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.fields import FieldCompiler, FieldPlace
from cardgen.game_file.line_format import LimitBook
from cardgen.game_file.spec import MOST_FIELDS, CardKey, FieldSpec, GameFile
from cardgen.game_file.texts import FIELDS, KINDS, field_values
from cardgen.model.card import Card
from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.rulesets.vocabulary import LimitRule
from cardgen.runtime.workspace import FreeFields
from cardgen.source import KeyPath
from cardgen.units import with_article
from cardgen.validation.base import Model, SourceMap, accepted_keys, model_keys
from cardgen.validation.validate import KeyContext, validate

# The block of the settings, and the code of the bounds in it, whose page is among the fixed limits.
BLOCK, LIMIT_CODE, LIMIT_NAME = "kinds", "CG109", "field-limits"
_MOST_EXTENDED = 64


class FreeKind(Model):
    """What a project adds to a kind."""

    fields: Annotated[Mapping[CardKey, FieldSpec], Field(min_length=1, max_length=MOST_FIELDS)]


class _Limits(LimitBook):
    """Limits of free fields, which have one code."""

    def rule(self, code: str, subject: str, bounds: str) -> LimitRule:
        """Return the rule of a bound."""
        return LimitRule(LIMIT_CODE, LIMIT_NAME, f"{subject} {bounds}")


@lru_cache(maxsize=_MOST_EXTENDED)
def _extended_kinds(game: str, source: FreeFields, plain: _PlainGame) -> Mapping[str, Kind]:
    rules, context = plain.rules, _context(plain.rules, source)
    kinds = dict(rules.kinds)
    for name in source.kinds:
        if name in kinds:
            kinds[name] = _extend_kind(name, kinds[name], source, context)
        else:
            message = f"unknown kind '{name}'{did_you_mean(str(name), kinds)}"
            context.report((BLOCK, name), message, f"available: {', '.join(kinds)}", key=True)
    stop_on_errors(context.problems)
    return MappingProxyType(kinds)


class _PlainGame:
    """A game without free fields.

    Equal if its kinds are the same objects.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _PlainGame) and other.rules.kinds is self.rules.kinds

    def __hash__(self) -> int:
        return id(self.rules.kinds)


def extend(rules: Ruleset, source: FreeFields) -> Ruleset:
    """Return a game whose kinds have the fields of a project.

    Raises CardgenError with all mistakes in them.
    """
    kinds = _extended_kinds(rules.id, source, _PlainGame(rules))
    return rules._replace(kinds=kinds, rule_values=partial(_rule_values, rules, source))


def _rule_values(rules: Ruleset, source: FreeFields) -> Iterator[tuple[KeyPath, str | float]]:
    """Yield the values of a game's rules with the bounds of the project's fields, which are valid."""
    yield from rules.rule_values() if rules.rule_values else ()
    for name, data in source.kinds.items():
        for field, spec in FreeKind.model_validate(data).fields.items():
            yield from field_values(spec, (KINDS, name, FIELDS, field), {})


def _context(rules: Ruleset, source: FreeFields) -> GameContext:
    spec = GameFile.model_construct(game=rules.id, name=rules.name, prefix=LIMIT_CODE[:2], types={}, unit="mm")
    context = GameContext(spec, SourceMap(source.document, (FreeKind,)), Path(source.document.file).parent)
    context.terms = rules.terms
    context.limits = _Limits(LIMIT_CODE[:2], rules.name)
    return context


def _extend_kind(name: str, kind: Kind, source: FreeFields, context: GameContext) -> Kind:
    source_map = SourceMap(source.document, (FreeKind,), ((BLOCK, name),))
    data = source.kinds[name]
    surroundings = KeyContext(own_location="on a kind", owner_suffix=" for a kind")
    spec, problems = validate(FreeKind, {} if data is None else data, source_map, lambda: surroundings)
    context.problems += problems
    if spec is None:
        return kind
    context.problems += _taken_keys(name, kind.model, spec, context)
    fields = dict(_fields(name, spec, context, optional=source.optional))
    if context.problems:
        return kind
    model: type[Card] = create_model(kind.model.__name__, __base__=kind.model, __doc__=kind.model.__doc__, **fields)  # type: ignore[call-overload]
    return kind._replace(model=model)


def _taken_keys(name: str, model: type[Card], spec: FreeKind, context: GameContext) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each field that the kind has already."""
    taken = {*accepted_keys((model,)), *model_keys(model)}
    for field in spec.fields:
        if field in taken or hasattr(model, field):
            place = context.place((BLOCK, name, "fields", field), key=True)
            message = f"{with_article(name)} already has the key '{field}'"
            yield Diagnostic(Code.INVALID_GAME, message, place, "choose another name")


def _fields(
    name: str, spec: FreeKind, context: GameContext, *, optional: bool
) -> Iterator[tuple[str, tuple[Any, FieldInfo]]]:
    compiler = FieldCompiler(context)
    for field, field_spec in spec.fields.items():
        place = FieldPlace((BLOCK, name, "fields", field), f"{field} of {with_article(name)}")
        _refuse_codes(field_spec, place, context)
        annotation, info = compiler.field(field_spec, place)
        left_out: Any = Field(default=None)
        yield field, (annotation | None, left_out) if optional and info.is_required() else (annotation, info)


def _refuse_codes(spec: FieldSpec, place: FieldPlace, context: GameContext) -> None:
    """Report codes, which only games have."""
    if spec.code:
        message = "only the fields of a game have a code"
        context.report((*place.key_path, "code"), message, "remove 'code'", key=True)
    if spec.items is not None:
        _refuse_codes(spec.items, place.below("items"), context)
