"""Dice in a game file: faces with weights, or candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from cardgen.game_file.spec.names import KindName

DiceSpecs: TypeAlias = Mapping[KindName, Any]
