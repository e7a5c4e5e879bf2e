"""Manual pages of the checks in a game file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import indent
from typing import Any

import yaml

from cardgen.checking.manual import EXAMPLE, INSTEAD, WHY
from cardgen.game_file.check.examples import EXAMPLE_NAME, MEMBERS, example_data, member_kind_of
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.checks import CheckSpec


def manual_page(name: str, spec: CheckSpec, context: GameContext) -> str:
    """Return the manual page of a check.

    Its examples are card files.
    """
    title = spec.about or f"{name.replace('-', ' ').capitalize()}."
    parts = [title, f"{WHY}\n{indent(spec.why or title, '    ')}"]
    for heading, overlay in ((EXAMPLE, spec.wrong), (INSTEAD, spec.right)):
        if overlay is not None:
            at = (spec.at or "") if heading == EXAMPLE else ""
            text = card_text(spec.kind[0], example_data(spec.kind[0], overlay, context), at, spec.code, context)
            parts.append(f"{heading}\n{indent(text, '    ')}")
    return "\n\n".join(parts) + "\n"


def card_text(kind: str, data: Mapping[str, Any], at: str, code: str, context: GameContext) -> str:
    """Return a card file, with a comment at the line of the finding."""
    game = f"game: {context.spec.game}"
    member_kind = member_kind_of(kind, context)
    if not member_kind:
        return "\n".join((game, *_key_lines({"kind": kind, **data}, at, code)))
    members = _named_members(data.get(MEMBERS, ()))
    cards = {name: {"kind": member_kind, **member, "name": name} for name, member, _ in members}
    card = {"kind": kind, **data, MEMBERS: [{name: qty} if qty > 1 else name for name, _, qty in members]}
    lines = "\n".join(_key_lines(card, at, code, 4))
    return "\n".join((game, "cards:", *(f"  - {_flow(each)}" for each in cards.values()), f"  - {lines.lstrip()}"))


def _named_members(members: Iterator[Any]) -> list[tuple[str, Mapping[str, Any], int]]:
    """Return each of the members once, with a name of its own and its copies."""
    distinct: list[tuple[Mapping[str, Any], int]] = []
    for member in members:
        index = next((number for number, (each, _) in enumerate(distinct) if each == member), len(distinct))
        distinct[index : index + 1] = [(member, 1 + (distinct[index][1] if index < len(distinct) else 0))]
    return [
        (member["name"] if member["name"] != EXAMPLE_NAME else f"Member {number}", member, qty)
        for number, (member, qty) in enumerate(distinct, start=1)
    ]


def _key_lines(data: Mapping[str, Any], at: str, code: str, pad: int = 0) -> Iterator[str]:
    """Yield a line for each key, with a comment behind the one that a finding points to."""
    key, *steps = at.split("/")
    for name, value in data.items():
        line = f"{' ' * pad}{name}: {_flow(value)}"
        is_found = name == key and not any(step != "0" for step in steps)
        yield f"{line}  # {code}: {pad + len(name) + 3 + len(steps)}" if is_found else line


def _flow(value: Any) -> str:
    """Return a value as YAML in one line."""
    return yaml.safe_dump([value], default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)[1:-2]
