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


class _Dumper(yaml.SafeDumper):
    """Writes equal values in full, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


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
    options: dict[str, Any] = {"Dumper": _Dumper, "sort_keys": False, "allow_unicode": True, "width": 1000}
    if is_short:
        return f"{key}: {yaml.dump(value, default_flow_style=True, **options).rstrip()}"
    return str(yaml.dump({key: value}, **options)).rstrip()


def _marked(text: str, at: str, code: str) -> str:
    """Return a card file with a comment at the line of the finding: that of a field, or the first for the card."""
    lines = text.splitlines()
    number, column = 0, 1
    for index, line in enumerate(lines if at else ()):
        if line.startswith(f"{at}:"):
            is_below = line == f"{at}:"  # the value starts on the next line
            number, column = (index + 1, 1) if is_below else (index, len(at) + 3)
    lines[number] += f"  # {code}: {column}"
    return "\n".join(lines)
