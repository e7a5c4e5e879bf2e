"""Lists in a game file: cards that name other cards, with limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from cardgen.game_file.spec.names import KindName

ListSpecs: TypeAlias = Mapping[KindName, Any]
