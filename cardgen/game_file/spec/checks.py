"""Checks in a game file: expressions over the cards of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from cardgen.game_file.spec.names import KindName

CheckSpecs: TypeAlias = Mapping[KindName, Any]
