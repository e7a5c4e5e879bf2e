from __future__ import annotations

import json

import jsonschema
import pytest

from cardgen.source.document import parse_document
from tests.cli.commands import Program
from tests.json_schemas import check_schema
from tests.projects import MINION, Folder


def test_the_schema_is_printed_and_accepts_a_card(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("schema")
    assert outcome.code == 0
    schema = json.loads(outcome.out)
    check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(parse_document(MINION, "a.yaml").data)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"kind": "minion", "name": "A", "stats": {"M": 9}})


def test_the_schema_can_be_saved(folder: Folder, cardgen: Program) -> None:
    printed = cardgen("schema").out
    outcome = cardgen("schema", "-o", ".cardgen/schema.json")
    assert outcome.out == ".cardgen/schema.json\n"
    assert (folder.root / ".cardgen/schema.json").read_text(encoding="utf-8") == printed


def test_an_unknown_game_is_an_error(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("schema", "--game", "warniri")
    assert outcome.code == 2
    assert "'warniri'" in outcome.err
    assert "warniris" in outcome.err
