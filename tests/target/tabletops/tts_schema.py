"""A JSON Schema of saved objects of Tabletop Simulator: keys and types as the program writes them."""

from __future__ import annotations

from typing import Any


def _object(keys: dict[str, Any], optional: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"type": "object", "required": [*keys], "properties": {**keys, **(optional or {})}, **more}


TEXT, FLAG, NUMBER, WHOLE = ({"type": name} for name in ("string", "boolean", "number", "integer"))
COLOR = _object(dict.fromkeys("rgb", NUMBER))
TRANSFORM = _object(
    dict.fromkeys((f"{what}{axis}" for what in ("pos", "rot", "scale") for axis in "XYZ"), NUMBER),
    additionalProperties=False,
)
CUSTOM_DECK = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"pattern": "^[1-9][0-9]*$"},
    "additionalProperties": _object(
        {
            "FaceURL": {"type": "string", "minLength": 1},
            "BackURL": {"type": "string", "minLength": 1},
            "NumWidth": {"type": "integer", "minimum": 1, "maximum": 10},
            "NumHeight": {"type": "integer", "minimum": 1, "maximum": 7},
            "BackIsHidden": {"const": True},
            "UniqueBack": FLAG,
        },
        {"Type": {"enum": [0, 1, 2, 3, 4]}},
        additionalProperties=False,
    ),
}
OBJECTS = {"type": "array", "items": {"$ref": "#/$defs/object"}}
CARD = {"CardID": {"type": "integer", "minimum": 100}, "SidewaysCard": FLAG, "CustomDeck": CUSTOM_DECK}
DECK = {
    "SidewaysCard": FLAG,
    "DeckIDs": {"type": "array", "minItems": 2, "items": {"type": "integer", "minimum": 100}},
    "CustomDeck": CUSTOM_DECK,
    "ContainedObjects": OBJECTS,
}
BAG = {"MaterialIndex": WHOLE, "MeshIndex": WHOLE, "Bag": _object({"Order": WHOLE}), "ContainedObjects": OBJECTS}
IMAGE = {"ImageURL": TEXT, "ImageSecondaryURL": TEXT, "WidthScale": NUMBER}
TILE = _object(
    {
        **IMAGE,
        "CustomTile": _object(
            {"Type": {"enum": [0, 1, 2, 3]}, "Thickness": NUMBER, "Stackable": FLAG, "Stretch": FLAG},
            additionalProperties=False,
        ),
    },
    {"ImageScalar": NUMBER},
    additionalProperties=False,
)
TOKEN = _object({**IMAGE, "CustomToken": _object({"Thickness": NUMBER, "MergeDistancePixels": NUMBER})})
KINDS: dict[str, dict[str, Any]] = {
    "Card": CARD,
    "CardCustom": CARD,
    "Deck": DECK,
    "DeckCustom": DECK,
    "Bag": BAG,
    "Custom_Tile": {"CustomImage": TILE},
    "Custom_Token": {"CustomImage": TOKEN},
}
COMMON = {
    "GUID": {"type": "string", "pattern": "^[0-9a-f]{6}$"},
    "Name": TEXT,
    "Transform": TRANSFORM,
    "Nickname": TEXT,
    "Description": TEXT,
    "GMNotes": TEXT,
    "ColorDiffuse": COLOR,
    **dict.fromkeys(("Locked", "Grid", "Snap", "IgnoreFoW", "MeasureMovement", "DragSelectable"), FLAG),
    **dict.fromkeys(("Autoraise", "Sticky", "Tooltip", "GridProjection", "HideWhenFaceDown", "Hands"), FLAG),
    "LayoutGroupSortIndex": WHOLE,
    "Value": WHOLE,
    "LuaScript": TEXT,
    "LuaScriptState": TEXT,
    "XmlUI": TEXT,
}
OPTIONAL = {
    "AltLookAngle": _object(dict.fromkeys("xyz", NUMBER)),
    "Tags": {"type": "array", "items": TEXT},
    "States": {
        "type": "object",
        "propertyNames": {"pattern": "^[1-9][0-9]*$"},
        "additionalProperties": {"$ref": "#/$defs/object"},
    },
}


def _own_keys(name: str, keys: dict[str, Any]) -> dict[str, Any]:
    return {"if": {"properties": {"Name": {"const": name}}}, "then": _object(keys)}


OBJECT = {**_object(COMMON, OPTIONAL), "allOf": [_own_keys(name, keys) for name, keys in KINDS.items()]}
# An object that is saved alone has the keys of an object; a saved object has those of a save around it.
OBJECT_SCHEMA = {"$defs": {"object": OBJECT}, "$ref": "#/$defs/object"}
SAVE_SCHEMA = {
    "$defs": {"object": OBJECT},
    **_object(
        {
            **dict.fromkeys(("SaveName", "Date", "VersionNumber", "GameMode", "GameType", "GameComplexity"), TEXT),
            "Tags": {"type": "array"},
            **dict.fromkeys(("Gravity", "PlayArea"), NUMBER),
            **dict.fromkeys(("Table", "Sky", "Note", "LuaScript", "LuaScriptState", "XmlUI"), TEXT),
            "TabStates": {"type": "object"},
            "ObjectStates": OBJECTS,
        },
        additionalProperties=False,
    ),
}
