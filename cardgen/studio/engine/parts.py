"""The parts of the engine: objects with functions for one view each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from cardgen.editor.session import Session

# The module and the class of each part. Parts are loaded when they are first used, so that the studio starts fast.
PARTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "renames": ("cardgen.studio.engine.edit.renames", "Renames"),
        "form": ("cardgen.studio.engine.edit.form", "Form"),
        "assist": ("cardgen.studio.engine.edit.assist", "Assist"),
        "rules": ("cardgen.studio.engine.rules.referee", "Referee"),
        "sheets": ("cardgen.studio.engine.print.sheets", "Sheets"),
        "printers": ("cardgen.studio.engine.print.printers", "Printers"),
        "play": ("cardgen.studio.play.battle_desk", "BattleDesk"),
        "templates": ("cardgen.studio.engine.edit.templates", "SourceFiles"),
        "thumbnails": ("cardgen.studio.engine.edit.thumbnails", "Thumbnails"),
        "starter": ("cardgen.studio.engine.starter", "Starter"),
    }
)
# Parts that read the project with other unsaved texts than the engine, and those that read it when a battle begins.
RELOADED = ("rules", "templates")
_AT_ROOT = (*RELOADED, "play")


def new_part(name: str, session: Session) -> Any:
    """Return a part of the engine for a project. Raises AttributeError for an unknown name."""
    if name not in PARTS:
        raise AttributeError(name)
    module, class_name = PARTS[name]
    return getattr(import_module(module), class_name)(session.root if name in _AT_ROOT else session)
