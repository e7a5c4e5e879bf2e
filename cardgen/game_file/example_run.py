"""Test of checks: they report wrong examples, but not right ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from cardgen.checking.check import Finding
from cardgen.game_file.checks import (
    CARD,
    EXAMPLE_NAME,
    KIND,
    RULINGS,
    SoundParts,
    compile_check,
    example_data,
    member_kind_of,
    own_names,
)
from cardgen.game_file.expressions import LINKS, CardLinks, GameContext
from cardgen.game_file.spec import MEMBERS, CheckSpec
from cardgen.model.card import Card
from cardgen.runtime.workspace import Budget
from cardgen.source import KeyPath
from cardgen.validation.base import Model

WRONG, RIGHT = "wrong", "right"


def run_examples(context: GameContext) -> int:
    """Run the examples of all checks, and return their number.

    Report those that fail. Checks with mistakes, and checks of kinds with mistakes, are skipped.

    The game must have been compiled.
    """
    count, sound = 0, SoundParts(context)
    budget = Budget()
    for name, spec in context.spec.checks.items():
        if not all(part in sound for part in _needed_parts(name, spec, context)):
            continue
        check = compile_check(name, spec, context)
        for which, overlay in ((WRONG, spec.wrong), (RIGHT, spec.right)):
            if check and overlay is not None:
                count += 1
                names = example_names(spec.kind[0], overlay, ("checks", name, which), context)
                if names is not None:
                    _judge([*check.judge(names, budget)], ("checks", name, which), context)
    return count


def _needed_parts(name: str, spec: CheckSpec, context: GameContext) -> Iterator[KeyPath]:
    """Yield the key paths of everything that the examples of a check use."""
    yield from (("checks", name), ("types",), ("rulings",), ("glossary",))
    for kind in spec.kind[:1]:
        for owner in filter(None, (kind, member_kind_of(kind, context))):
            yield from (("kinds", owner), ("lists", owner), ("pieces", owner))


def _judge(findings: list[Finding], path: KeyPath, context: GameContext) -> None:
    """Report findings in a right example, and a wrong one without any."""
    broken = [finding for finding in findings if finding.place]
    if broken:
        context.report(path, broken[0].message)
    elif path[-1] == WRONG and not findings:
        context.report(path, "the check does not report the wrong example", "change the example, or 'when'")
    elif path[-1] == RIGHT and findings:
        message = f"the check reports the right example: {findings[0].message}"
        context.report(path, message, "change the example, or 'when'")


def example_names(kind: str, overlay: Mapping[str, Any], path: KeyPath, context: GameContext) -> dict[str, Any] | None:
    """Return the names for an example.

    Return None if it is not a valid card, which is reported.
    """
    data = example_data(kind, overlay, context)
    rulings = {name: next(iter(ruling.settings)) for name, ruling in context.spec.rulings.items()}
    links = CardLinks(lambda other, _: _example_card(other, context))
    around = {RULINGS: rulings, KIND: kind, LINKS: links}
    if member_kind := member_kind_of(kind, context):
        members = [
            _card(member_kind, each, (*path, MEMBERS, index), context)
            for index, each in enumerate(data.get(MEMBERS, ()))
        ]
        return None if None in members else {**data, **around, MEMBERS: members, CARD: data}
    card = _card(kind, data, path, context)
    whole = {"name": EXAMPLE_NAME} if kind in context.types else card
    return None if card is None else {**own_names(card, links), **around, CARD: whole}


def _example_card(kind: str, context: GameContext) -> Card | None:
    """Return the example of a kind, which stands for every card that an example names, or None if it is not valid."""
    try:
        return (
            context.kinds[kind].model.model_validate(example_data(kind, {}, context)) if kind in context.kinds else None
        )
    except ValidationError:
        return None


def _card(kind: str, data: Any, path: KeyPath, context: GameContext) -> Model | None:
    model: type[Model] = context.types[kind] if kind in context.types else context.kinds[kind].model
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        message = f"the example is not a valid {kind}: {first['msg'][:1].lower()}{first['msg'][1:]}"
        context.report((*path, *first["loc"]), message)
        return None
