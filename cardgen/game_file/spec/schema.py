"""JSON Schema (draft 2020-12) of game files, for editors."""

from __future__ import annotations

from typing import Any

from pydantic_core.core_schema import DictSchema

from cardgen.game_file.spec.document import GameFile
from cardgen.model.schema import DIALECT, JsonSchema, UntitledGenerator
from cardgen.validation.model_keys import reachable_models


class _GameFileGenerator(UntitledGenerator):
    """JSON Schema generator for maps with names as keys, which refuse all other keys."""

    def dict_schema(self, schema: DictSchema) -> JsonSchema:
        """Return the schema of a map."""
        found: dict[str, Any] = super().dict_schema(schema)
        return {**found, "additionalProperties": False} if "patternProperties" in found else found


def game_file_schema() -> JsonSchema:
    """Return the schema of `game.yaml`."""
    for _, model in reachable_models((GameFile,)):
        model.model_rebuild()
    schema = GameFile.model_json_schema(schema_generator=_GameFileGenerator)
    return {"$schema": DIALECT, **schema, "title": "A game file"}
