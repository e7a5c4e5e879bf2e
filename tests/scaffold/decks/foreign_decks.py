"""Small decks of other programs, for tests."""

from __future__ import annotations

import json
import zipfile
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from cardgen.face.layout import Layout, LayoutBox, read_layout
from cardgen.scaffold.game import NewGame, new_game


def png(colour: str = "red", size: tuple[int, int] = (30, 40)) -> bytes:
    content = BytesIO()
    Image.new("RGB", size, colour).save(content, "PNG")
    return content.getvalue()


def write(root: Path, **files: str | bytes) -> Path:
    """Write files; '__' in a name stands for a slash, and the last '_' for the dot."""
    for name, content in files.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = root / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def archive(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return path


def dexie(path: Path, pictures: dict[str, bytes], **tables: list[dict[str, Any]]) -> Path:
    """Write the database of a Cider project."""
    assets = [
        {"name": name, "file": {"type": "image/png", "data": b64encode(content).decode()}}
        for name, content in pictures.items()
    ]
    rows = [{"tableName": name, "rows": each} for name, each in {"assets": assets, **tables}.items()]
    path.write_text(json.dumps({"formatName": "dexie", "data": {"data": rows}}), encoding="utf-8")
    return path


def made(folder: Path, source: Path, name: str = "Sumpf") -> NewGame:
    return new_game(name, table=source)


def layout(folder: Path, name: str) -> Layout:
    file = f"games/sumpf/templates/{name}.layout.yaml"
    return read_layout((folder / file).read_text(encoding="utf-8"), file).layout


def shown(layout: Layout, content: str) -> list[Any]:
    """What the boxes of a layout with a content show."""
    return [value for box in layout.boxes if (value := getattr(box, content)) is not None]


def box_of(layout: Layout, value: str) -> LayoutBox:
    """The box that shows a field, a text, or a picture."""
    (found,) = [box for box in layout.boxes if value in (box.field, box.text, box.picture)]
    return found


def table(folder: Path, name: str) -> str:
    return (folder / "cards" / f"{name}.csv").read_text(encoding="utf-8-sig")
