"""Map the data of a model to its place in the source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.diagnostic import Place
from cardgen.source import Document, KeyPath
from cardgen.validation.base import ModelClasses, child_models, spellings_of


class Overlay(NamedTuple):
    """Part of a document's data, and the key path to it."""

    data: object
    key_path: KeyPath = ()

    def child(self, names: Iterable[str | int]) -> Overlay | None:
        """Return the child for the first existing name, or None."""
        data = self.data
        for name in names:
            if isinstance(data, dict) and name in data:
                return Overlay(data[name], (*self.key_path, name))
            if isinstance(data, list) and isinstance(name, int) and 0 <= name < len(data):
                return Overlay(data[name], (*self.key_path, name))
        return None


class SourceMap(NamedTuple):
    """Places in a document that one model was read from.

    Values at an earlier key path override those at a later one.
    """

    document: Document
    models: ModelClasses
    key_paths: tuple[KeyPath, ...] = ((),)

    @property
    def overlays(self) -> tuple[Overlay, ...]:
        """The data at each key path that exists."""
        overlays = []
        for key_path in self.key_paths:
            overlay: Overlay | None = Overlay(self.document.data)
            for step in key_path:
                overlay = overlay.child((step,)) if overlay else None
            if overlay:
                overlays.append(overlay)
        return tuple(overlays)

    def merged_data(self) -> Any:
        """Merge the overlays; None if there are none.

        Maps are merged deeply; everything else is replaced.
        """
        top, *others = self.overlays or (None,)
        merged = top.data if top else None
        for overlay in others:
            merged = _merge(merged, overlay.data, self.models)
        return merged

    def has_key(self, key: str) -> bool:
        """True if the author wrote `key`, in any of its spellings."""
        return any(layer.child(spellings_of(self.models, key)) for layer in self.overlays)

    def source_path(self, key_path: KeyPath) -> KeyPath:
        """Return the document's key path of the model's value at `key_path`.

        It stops at the last step that the author wrote.
        """
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
        """Return the last step of a key path in the author's spelling.

        The path must not be empty. If the author did not write the step, return it unchanged.
        """
        source_path = self.source_path(key_path)
        return key_path[-1] if source_path == self.source_path(key_path[:-1]) else source_path[-1]

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the model's value at `key_path`, or its key.

        For a value that was left out, it is the place of its container.
        """
        return self.document.place(self.source_path(key_path), key=key)


def _merge(over: object, under: object, models: ModelClasses) -> object:
    """Merge `over` onto `under`; spellings of one key are the same key."""
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
