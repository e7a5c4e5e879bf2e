"""Pieces in a game file: tokens, proxies, and tools, made from cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from cardgen.game_file.spec.names import KindName

PieceSpecs: TypeAlias = Mapping[KindName, Any]
