"""Trials in a game file: steps that are rolled, worked out exactly, or asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from cardgen.game_file.spec.names import KindName

TrialSpecs: TypeAlias = Mapping[KindName, Any]
