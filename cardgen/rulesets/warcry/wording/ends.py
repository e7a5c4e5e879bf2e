"""Clauses with given words, the attacks that a change is for, and how long it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import Group
from cardgen.rulesets.warcry.wording.phrases import (
    SELF,
    condition_phrase,
    features,
    many_phrase,
    one_phrase,
    write,
)


def clause(kind: str, slots: str = "", style: str = "", /, **values: Any) -> str:
    """Return the words of a clause.

    `slots` are the keys whose words are given, as `p=…`; the other values belong to the meaning.
    """
    words = {key: value for key, value in values.items() if len(key) == 1}
    data = {key: value for key, value in values.items() if len(key) > 1}
    return write("part", features({"kind": kind, **dict.fromkeys(slots.split(), ""), **data}), style, **words)


def ends_phrase(change: Change) -> Iterator[str]:
    """Yield how often, the lowest result, and how long it lasts."""
    yield per_phrase(change)
    if change.at_least is not None:
        yield f" {write('lowest', features({'at_least': change.at_least}))}"
    if change.next == "move":
        yield f" {clause('next', next='move')}"
    if change.during:
        yield f" while {condition_phrase(change.during)}"
    if change.span == "activation" and change.of != SELF:
        yield " until the end of this activation"
    elif change.span:
        yield f" {write('part', features({'kind': 'until', 'for': change.span}), 'own')}"


def per_phrase(change: Change) -> str:
    """Return ' for each of your fighters within 1"', or ''."""
    if change.per is None:
        return ""
    if isinstance(change.per, Group):
        return f" {clause('per', 'per', g=one_phrase(change.per))}"
    several = {"points": change.per_points} if change.per_points > 1 and change.per in ("dealt", "healed") else {}
    return f" {clause('per', per=change.per, **several)}"


def attacks_phrase(change: Change) -> str:
    """Return 'this fighter's next melee attack against enemies with at least 15 Wounds'."""
    data: dict[str, Any] = {"weapon": change.weapon, "of": ""}
    is_group, of = isinstance(change.of, Group), change.of
    owner = many_phrase(of) if isinstance(of, Group) else write("owner", of)
    if change.incoming:
        data |= {"incoming": True}
        owner = many_phrase(of) if isinstance(of, Group) else write("party", of)
    elif change.next == "attack":
        data |= {"next": "attack"}
    posts = [write("attack_post", features({"reach": change.reach}))] if change.reach else []
    if change.beyond:
        posts.append(write("attack_post", features({"beyond": change.beyond}), n=f'{change.beyond}"'))
    if change.target:
        target = change.target
        posts.append(f"against {many_phrase(target) if isinstance(target, Group) else write('party', target)}")
    return " ".join((write("attacks", features(data), "group" if is_group else "", p=owner), *posts))
