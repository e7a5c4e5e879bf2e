"""Checks of a game, from the expressions in its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cardgen.checking.check import Check, Confidence, Finding, Findings
from cardgen.checking.context import CheckContext
from cardgen.diagnostic import CardgenError, Severity
from cardgen.game_file.check.names import check_scope, names_of_part
from cardgen.game_file.check.pages import manual_page
from cardgen.game_file.context import GameContext
from cardgen.game_file.expression.compiler import FormulaCompiler
from cardgen.game_file.expression.formula import Formula, Words
from cardgen.game_file.expression.links import links_in
from cardgen.game_file.lists.limits import limit_code
from cardgen.game_file.spec.checks import CheckSpec
from cardgen.source import KeyPath
from cardgen.validation.base import Model
from cardgen.validation.suggestion import did_you_mean

_STEP = re.compile(r"[/.]")


@dataclass(frozen=True, eq=False)
class CompiledCheck:
    """A check of a game file: condition, place, and message."""

    when: Formula
    say: Words
    help: Words | None
    route: KeyPath

    def find(self, part: Model, context: CheckContext) -> Findings:
        """Yield a finding if the expression holds for a card or part."""
        yield from self.judge(names_of_part(part, context))

    def judge(self, names: Mapping[str, Any]) -> Findings:
        """Yield a finding if the expression holds for some names.

        An expression that cannot be evaluated is a finding in the game file, unless the card names one that does not
        exist, which is reported there.
        """
        try:
            if self.when.truth(names):
                yield Finding(self.say.text(names), self.route, self.help.text(names) if self.help else "")
        except CardgenError as error:
            links = links_in(names)
            for problem in () if links and links.is_broken else error.diagnostics:
                yield Finding(f"the check cannot be evaluated: {problem.message}", place=problem.place)


def compile_checks(context: GameContext) -> Iterable[Check]:
    """Return the checks of a game, and report mistakes in them."""
    report_codes(context)
    checks = []
    for name, spec in context.spec.checks.items():
        models, compiled = models_of(spec, name, context), compile_check(name, spec, context)
        if compiled and models:
            manual = partial(manual_page, name, spec, context)
            severity, certain = Severity(spec.severity), Confidence.CERTAIN
            checks.append(Check(spec.code, name, manual, severity, certain, models, compiled.find))
    return checks


def compile_check(name: str, spec: CheckSpec, context: GameContext) -> CompiledCheck | None:
    """Return a check.

    Return None if there are mistakes in it, which are reported.
    """
    path = ("checks", name)
    compiler, models = FormulaCompiler(context), models_of(spec, name, context, is_silent=True)
    if not models:
        return None
    scope = check_scope(models, context)
    when = compiler.formula(spec.when, (*path, "when"), scope)
    say = compiler.words(spec.say, (*path, "say"), scope)
    advice = compiler.words(spec.help, (*path, "help"), scope) if spec.help else None
    route = _route(spec, name, models, context)
    return CompiledCheck(when, say, advice, route) if when and say and route is not None else None


def models_of(spec: CheckSpec, name: str, context: GameContext, *, is_silent: bool = False) -> tuple[type[Model], ...]:
    """Return the models that a check looks at.

    They are cards or parts; unknown kinds are reported.
    """
    every: dict[str, type[Model]] = {**context.types, **{kind: each.model for kind, each in context.kinds.items()}}
    for index, kind in enumerate(spec.kind):
        if kind not in every and not is_silent:
            path = ("checks", name, "kind") if len(spec.kind) == 1 else ("checks", name, "kind", index)
            message = f"unknown kind '{kind}'{did_you_mean(kind, every)}"
            context.report(path, message, f"available: {', '.join(every)}")
    return tuple([every[kind] for kind in spec.kind if kind in every])


def _route(spec: CheckSpec, name: str, models: Iterable[type[Model]], context: GameContext) -> KeyPath | None:
    """Return the key path that a finding points to.

    Return None if no such field exists.
    """
    steps: list[str | int] = [int(step) if step.isdecimal() else step for step in _STEP.split(spec.at or "") if step]
    keys = [{field.alias or key for key, field in model.model_fields.items()} for model in models]
    if not steps or all(steps[0] in fields for fields in keys):
        return tuple(steps)
    known = sorted(set().union(*keys))
    message = f"unknown field '{steps[0]}'{did_you_mean(str(steps[0]), known)}"
    context.report(("checks", name, "at"), message, f"available: {', '.join(known)}")
    return None


def report_codes(context: GameContext) -> None:
    """Report duplicate codes, and codes without the prefix of the game."""
    owners = {check.code: f"the limit '{check.name}'" for check in context.limits.checks()}
    for name, each in context.spec.lists.items():
        owners |= {limit_code(limit, context): f"the limits of the list '{name}'" for limit in each.limits.values()}
    for name, spec in context.spec.checks.items():
        path = ("checks", name, "code")
        if context.check_prefix(spec.code, path) and spec.code in owners:
            message = f"duplicate code '{spec.code}', also used by {owners[spec.code]}"
            context.report(path, message, f"use an unused code, such as {_free_code(spec.code, owners, context)}")
        owners.setdefault(spec.code, f"the check '{name}'")


def _free_code(code: str, owners: Mapping[str, str], context: GameContext) -> str:
    used = {*owners, *(spec.code for spec in context.spec.checks.values())}
    return next((free for free in _codes_like(code) if free not in used), code)


def _codes_like(code: str) -> Iterator[str]:
    """Yield the codes of the same family."""
    return (f"{code[:3]}{number:02}" for number in range(1, 100))
