"""The page about game.yaml: it has every key of every part of a game file."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

from cardgen.game_file.loader import compile_game, read_game
from cardgen.game_file.spec import FIELD_TYPES, GameFile
from cardgen.source import parse_document
from cardgen.validation.base import reachable_models

PAGE = (Path(__file__).parent.parent.parent / "docs" / "game-format.md").read_text(encoding="utf-8")
MODELS = sorted({model for _, model in reachable_models((GameFile,))}, key=lambda model: model.__name__)
TEXT = re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL)
WORDS = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", TEXT))))


def test_every_type_of_field_is_explained() -> None:
    assert set(FIELD_TYPES) <= WORDS


def test_the_steps_on_the_page_are_valid() -> None:
    (steps,) = re.findall(r"^```yaml steps\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    asks = "asks: {brave: {type: card, kind: brave}}"
    text = (
        "game: ember\nname: Ember\nprefix: EM\nkinds: {brave: {fields: {heat: {type: integer}}}}\n"
        f"trials:\n  warm: {{{asks}, steps: [{{end: warm}}]}}\n  camp:\n    {asks}\n    steps:\n{indent(steps, '    ')}"
    )
    context = read_game(parse_document(text, "game.yaml"), Path())
    compile_game(context)
    assert not context.problems
