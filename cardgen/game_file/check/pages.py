"""Manual pages of the checks in a game file."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent
from typing import Any

import yaml

from cardgen.checking.manual import EXAMPLE, INSTEAD, WHY
from cardgen.game_file.check.examples import example_data
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
            text = _card_text(spec.kind[0], example_data(spec.kind[0], overlay, context), context)
            text = _marked(text, spec.at or "", spec.code) if heading == EXAMPLE else text
            parts.append(f"{heading}\n{indent(text, '    ')}")
    return "\n\n".join(parts) + "\n"


def _card_text(kind: str, data: Mapping[str, Any], context: GameContext) -> str:
    """Return a card file; lists of words are on one line."""
    return "\n".join(_line(key, value) for key, value in {"game": context.spec.game, "kind": kind, **data}.items())


def _line(key: str, value: object) -> str:
    is_short = isinstance(value, list | tuple) and all(isinstance(item, str | int) for item in value)
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 1000}
    if is_short:
        return f"{key}: {yaml.safe_dump(value, default_flow_style=True, **options).rstrip()}"
    return str(yaml.safe_dump({key: value}, **options)).rstrip()


def _marked(text: str, at: str, code: str) -> str:
    """Return a card file with a comment at the line of the finding: that of a field, or the first for the card."""
    start = f"{at}: " if at else text.split(" ")[0]
    column = len(start) + 1 if at else 1
    lines = [f"{line}  # {code}: {column}" if line.startswith(start) else line for line in text.splitlines()]
    return "\n".join(lines)
