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
            at = (spec.at or "") if heading == EXAMPLE else ""
            text = _card_text(spec.kind[0], example_data(spec.kind[0], overlay, context), at, spec.code, context)
            parts.append(f"{heading}\n{indent(text, '    ')}")
    return "\n\n".join(parts) + "\n"


def _card_text(kind: str, data: Mapping[str, Any], at: str, code: str, context: GameContext) -> str:
    """Return a card file, with a comment at the line of the finding."""
    head = {"game": context.spec.game, "kind": kind}
    lines = yaml.safe_dump({**head, **data}, sort_keys=False, allow_unicode=True).splitlines()
    mark = f"{at}: "
    return "\n".join(f"{line}  # {code}: {len(mark) + 1}" if at and line.startswith(mark) else line for line in lines)
