"""Map the data of a model to its place in the source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.diagnostic import Place
from cardgen.source import Document, KeyPath
from cardgen.validation.model_keys import ModelClasses, child_models, spellings_of


class Overlay(NamedTuple):
    """A part of a document's data, and the route to it."""

    data: object
    key_path: KeyPath = ()

    def child(self, names: Iterable[str | int]) -> Overlay | None:
        """What stands one step below under the first of the names that is there."""
        data = self.data
        for name in names:
            if isinstance(data, dict) and name in data:
                return Overlay(data[name], (*self.key_path, name))
            if isinstance(data, list) and isinstance(name, int) and 0 <= name < len(data):
                return Overlay(data[name], (*self.key_path, name))
        return None


class SourceMap(NamedTuple):
    """What one model was read from: places in a document, of which an earlier one goes over a later one."""

    document: Document
    models: ModelClasses
    key_paths: tuple[KeyPath, ...] = ((),)

    @property
    def overlays(self) -> tuple[Overlay, ...]:
        """The data at each of the routes that leads somewhere."""
        overlays = []
        for key_path in self.key_paths:
            overlay: Overlay | None = Overlay(self.document.data)
            for step in key_path:
                overlay = overlay.child((step,)) if overlay else None
            if overlay:
                overlays.append(overlay)
        return tuple(overlays)

    def merged_data(self) -> Any:
        """The layers as one: maps are merged deeply, everything else is replaced; None without any layer."""
        top, *others = self.overlays or (None,)
        merged = top.data if top else None
        for overlay in others:
            merged = _merge(merged, overlay.data, self.models)
        return merged

    def has_key(self, key: str) -> bool:
        """Whether the author wrote `key` at all, under any of its spellings."""
        return any(layer.child(spellings_of(self.models, key)) for layer in self.overlays)

    def source_path(self, key_path: KeyPath) -> KeyPath:
        """The route in the document to what the model has at `route`, as far as the author wrote it."""
        overlays, models = self.overlays, self.models
        for step in key_path:
            names = spellings_of(models, step)
            children = tuple(lower for layer in overlays if (lower := layer.child(names)))
            if not children:
                break
            overlays = children if isinstance(children[0].data, dict) else children[:1]
            models = child_models(models, step)
        return overlays[0].key_path if overlays else ()

    def spelling(self, key_path: KeyPath) -> str | int:
        """The last step of a route that is not empty, as its author wrote it; as it is where nobody wrote it."""
        source_path = self.source_path(key_path)
        return key_path[-1] if source_path == self.source_path(key_path[:-1]) else source_path[-1]

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """The place of what the model has at `route`, or of its key; of what it is part of where it was left out."""
        return self.document.place(self.source_path(key_path), key=key)


def _merge(over: object, under: object, models: ModelClasses) -> object:
    """`over` on top of `under`; two spellings of one key are one key."""
    if not (isinstance(over, dict) and isinstance(under, dict)):
        return over
    merged = dict(over)
    for key, value in under.items():
        same = next((name for name in spellings_of(models, key) if name in over), None)
        if same is None:
            merged[key] = value
        else:
            merged[same] = _merge(over[same], value, child_models(models, key))
    return merged
