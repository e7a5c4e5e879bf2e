"""Where a model's data was written, although defaults, synonyms and short forms stand between the two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.diagnostic import Place
from cardgen.shape.keys import Models, below, spellings
from cardgen.source import Document, Route


class Layer(NamedTuple):
    """A part of a document's data, and the route to it."""

    data: object
    route: Route = ()

    def down(self, names: Iterable[str | int]) -> Layer | None:
        """What stands one step below under the first of the names that is there."""
        data = self.data
        for name in names:
            if isinstance(data, dict) and name in data:
                return Layer(data[name], (*self.route, name))
            if isinstance(data, list) and isinstance(name, int) and 0 <= name < len(data):
                return Layer(data[name], (*self.route, name))
        return None


class Origin(NamedTuple):
    """What one model was read from: places in a document, of which an earlier one goes over a later one."""

    document: Document
    models: Models
    routes: tuple[Route, ...] = ((),)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The data at each of the routes that leads somewhere."""
        found = []
        for route in self.routes:
            layer: Layer | None = Layer(self.document.data)
            for step in route:
                layer = layer.down((step,)) if layer else None
            if layer:
                found.append(layer)
        return tuple(found)

    def data(self) -> Any:
        """The layers as one: maps are merged deeply, everything else is replaced; None without any layer."""
        top, *others = self.layers or (None,)
        merged = top.data if top else None
        for layer in others:
            merged = _merged(merged, layer.data, self.models)
        return merged

    def holds(self, key: str) -> bool:
        """Whether the author wrote `key` at all, under any of its spellings."""
        return any(layer.down(spellings(self.models, key)) for layer in self.layers)

    def written(self, route: Route) -> Route:
        """The route in the document to what the model has at `route`, as far as the author wrote it."""
        layers, models = self.layers, self.models
        for step in route:
            names = spellings(models, step)
            found = tuple(lower for layer in layers if (lower := layer.down(names)))
            if not found:
                break
            layers = found if isinstance(found[0].data, dict) else found[:1]
            models = below(models, step)
        return layers[0].route if layers else ()

    def spelling(self, route: Route) -> str | int:
        """The last step of a route that is not empty, as its author wrote it; as it is where nobody wrote it."""
        written = self.written(route)
        return route[-1] if written == self.written(route[:-1]) else written[-1]

    def place(self, route: Route = (), *, key: bool = False) -> Place:
        """The place of what the model has at `route`, or of its key; of what it is part of where it was left out."""
        return self.document.place(self.written(route), key=key)


def _merged(over: object, under: object, models: Models) -> object:
    """`over` on top of `under`; two spellings of one key are one key."""
    if not (isinstance(over, dict) and isinstance(under, dict)):
        return over
    merged = dict(over)
    for key, value in under.items():
        same = next((name for name in spellings(models, key) if name in over), None)
        if same is None:
            merged[key] = value
        else:
            merged[same] = _merged(over[same], value, below(models, key))
    return merged
