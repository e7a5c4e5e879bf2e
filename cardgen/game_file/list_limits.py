"""Limits of lists: checks of sums over the members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from cardgen.checking.check import Check, CheckContext, Finding, Findings
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists import CardList
from cardgen.game_file.spec.kinds import LimitSpec
from cardgen.model.card import Card
from cardgen.rulesets.roster import cards_by_name

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
            pages.setdefault(code, []).append(f"The {field} of a {name} add up to {_phrase(limit)}.")
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
    cards = {name: found for model in members for name, found in cards_by_name(context.scope, model).items()}
    amounts = [(each, cards.get(each.card)) for each in card.members]
    if any(found is None for _, found in amounts):
        return
    total = sum((getattr(found, field) or 0) * each.qty for each, found in amounts)
    if (limit.min is None or total >= limit.min) and (limit.max is None or total <= limit.max):
        return
    yield Finding(f"the {field} of the members must add up to {_phrase(limit)}, not {total:g}", ("members",))


def _phrase(limit: LimitSpec) -> str:
    if limit.min is None:
        return f"at most {limit.max:g}"
    if limit.max is None:
        return f"at least {limit.min:g}"
    return f"exactly {limit.min:g}" if limit.min == limit.max else f"between {limit.min:g} and {limit.max:g}"
