"""Objects of Tabletop Simulator as JSON, with the keys that its own saves have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from cardgen.target.tabletops.atlas import Grid

Json: TypeAlias = dict[str, Any]

_CARD_GRAY = 0.713235259


def common_keys(name: str, guid: str, nickname: str, *, gray: bool = False) -> Json:
    """Return the keys that all objects have; cards are gray where no picture covers them."""
    shade = _CARD_GRAY if gray else 1.0
    return {
        "GUID": guid,
        "Name": name,
        "Transform": transform(),
        "Nickname": nickname,
        "Description": "",
        "GMNotes": "",
        "AltLookAngle": dict.fromkeys("xyz", 0.0),
        "ColorDiffuse": dict.fromkeys("rgb", shade),
        "LayoutGroupSortIndex": 0,
        "Value": 0,
        **dict.fromkeys(("Locked", "IgnoreFoW", "MeasureMovement", "GridProjection"), False),
        **dict.fromkeys(("Grid", "Snap", "DragSelectable", "Autoraise", "Sticky", "Tooltip"), True),
        "HideWhenFaceDown": False,
        "Hands": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }


def transform(scale: float = 1.0) -> Json:
    """Return the place and scale of an object, turned toward the player."""
    place = dict.fromkeys(("posX", "posY", "posZ", "rotX", "rotY", "rotZ"), 0.0)
    return {**place, "posY": 1.0, "rotY": 180.0, "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}


def custom_deck(face_url: str, back_url: str, grid: Grid, *, unique_back: bool) -> Json:
    """Return a sheet of cards; its last cell is a card, because the back is shown for hidden cards."""
    return {
        "FaceURL": face_url,
        "BackURL": back_url,
        "NumWidth": grid.columns,
        "NumHeight": grid.rows,
        "BackIsHidden": True,
        "UniqueBack": unique_back,
        "Type": 0,
    }


def custom_tile(front: str, back: str, kind: int) -> Json:
    """Return the pictures and the outline of a tile."""
    return {
        "ImageURL": front,
        "ImageSecondaryURL": back,
        "ImageScalar": 1.0,
        "WidthScale": 0.0,
        "CustomTile": {"Type": kind, "Thickness": 0.1, "Stackable": False, "Stretch": True},
    }


def saved_object(objects: Sequence[Json]) -> Json:
    """Return a saved object: a save without a table."""
    return {
        **dict.fromkeys(("SaveName", "Date", "VersionNumber", "GameMode", "GameType", "GameComplexity"), ""),
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        **dict.fromkeys(("Table", "Sky", "Note"), ""),
        "TabStates": {},
        **dict.fromkeys(("LuaScript", "LuaScriptState", "XmlUI"), ""),
        "ObjectStates": list(objects),
    }


def encode(content: Json) -> bytes:
    """Return an object as a JSON file."""
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
