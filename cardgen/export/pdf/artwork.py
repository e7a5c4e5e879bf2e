"""Artwork in a PDF: inline operators, form XObjects, and their resources.

Short artwork is drawn inline; artwork for CairoSVG gets a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObject, PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.artwork.translation import BBox, Group, Mask, Resource, SharedPath, Translation
from cardgen.export.artwork.translator import translate, undrawable_art
from cardgen.export.pdf.form_xobject import (
    LUMINOSITY_GROUP,
    TRANSPARENCY_GROUP,
    FormXObject,
    IndirectDictionary,
    do_operator,
)
from cardgen.face.face import Artwork, Face
from cardgen.units import to_points

# Artwork with more characters becomes a form XObject of its own, so that cards can share it.
_MAX_INLINE = 400
# Inline operators that are kept for other faces.
_MAX_KEPT = 2048


class Drawing(NamedTuple):
    """Operators, the names of the forms and images they paint, and other resources."""

    operators: str
    xobjects: tuple[str, ...] = ()
    resources: frozenset[Resource] = frozenset()


class ArtworkForms:
    """The artwork of one document; `resources` are those of all faces."""

    def __init__(self, canvas: Canvas, resources: PDFResourceDictionary) -> None:
        self._document = canvas._doc
        self._resources = resources
        self._drawings: dict[Artwork, Drawing] = {}
        self._inline: dict[Artwork, Drawing] = {}
        # By digest, because paths are long.
        self._path_names: dict[bytes, str] = {}
        self._group_names: dict[Group, str] = {}
        self._references: dict[Resource, Any] = {}
        self._numbers = count(1)
        # Artwork for CairoSVG, by name of its placeholder form.
        self.placeholders: dict[str, Artwork] = {}

    def draw(self, artwork: Artwork, face: Face) -> Drawing:
        """Return operators for artwork: inline if short, otherwise a form."""
        drawing = self._drawings.get(artwork) or self._inline.get(artwork)
        if drawing is None:
            translation = translate(artwork.svg, always=artwork.is_art)
            drawing = self._placeholder(artwork, face) if translation is None else self._translated(translation, face)
            if translation and translation.length <= _MAX_INLINE:
                if len(self._inline) >= _MAX_KEPT:
                    self._inline.clear()
                self._inline[artwork] = drawing
            else:
                self._drawings[artwork] = drawing
        return drawing

    def path_form(self, shape: SharedPath) -> str:
        """Return the name of a form for a shape.

        It has no color of its own, but takes the current fill color.
        """
        key = shape.digest
        if key not in self._path_names:
            self._path_names[key] = self.add_form("shape", FormXObject(shape.box, shape.content, PDFDictionary()))
        return self._path_names[key]

    def share(self, names: Iterable[str]) -> None:
        """Let faces paint forms or images."""
        self._resources.XObject.update(self._document.xobjDict(names).dict)

    def _translated(self, translation: Translation, face: Face) -> Drawing:
        content = self._content(translation)
        if translation.length > _MAX_INLINE:
            return self.make_form("artwork", content, face)
        if content.resources:
            self._resources.Pattern.update(self._entries(content, "Pattern"))
            self._resources.ExtGState.update(self._entries(content, "ExtGState"))
        return Drawing(f"q\n{content.operators}\nQ", content.xobjects, content.resources)

    def make_form(self, kind: str, drawing: Drawing, face: Face, **resources: Any) -> Drawing:
        """Return the drawing of a new form with the operators of another, on faces of the same size."""
        form = FormXObject(face_box(face), drawing.operators, self._form_resources(drawing, **resources))
        name = self.add_form(kind, form)
        return Drawing(do_operator(name), (name,))

    def _placeholder(self, artwork: Artwork, face: Face) -> Drawing:
        if artwork.is_art:
            raise undrawable_art(artwork)
        name = self.add_form("artwork", FormXObject(face_box(face), "", PDFDictionary()))
        self.placeholders[name] = artwork
        start = f"{-to_points(face.bleed):.4f}"
        return Drawing(f"q 1 0 0 1 {start} {start} cm\n{do_operator(name)}\nQ", (name,))

    def _content(self, translation: Translation) -> Drawing:
        """Return the operators of a translation, whose paths and groups become forms."""
        parts: list[str] = []
        names: list[str] = []
        for part in translation.parts:
            if isinstance(part, str):
                parts.append(part)
            else:
                names.append(self.path_form(part) if isinstance(part, SharedPath) else self._group_form(part))
                parts.append(do_operator(names[-1]))
        return Drawing("\n".join(parts), tuple(names), translation.resources)

    def _group_form(self, group: Group) -> str:
        if group not in self._group_names:
            form = self._group_object(group, group=TRANSPARENCY_GROUP)
            self._group_names[group] = self.add_form("group", form)
        return self._group_names[group]

    def _group_object(self, content: Group, **entries: str) -> FormXObject:
        drawing = self._content(content.content)
        return FormXObject(content.box, drawing.operators, self._form_resources(drawing), **entries)

    def add_form(self, kind: str, form: PDFObject) -> str:
        """Add a form or image that faces can paint, and return its name."""
        name = f"{kind}{next(self._numbers)}"
        self._document.addForm(name, form)
        self.share((name,))
        return name

    def _form_resources(self, drawing: Drawing, **more: Any) -> PDFDictionary:
        resources = {"XObject": self._document.xobjDict(drawing.xobjects), **more}
        for kind in ("Pattern", "ExtGState"):
            if entries := self._entries(drawing, kind):
                resources[kind] = PDFDictionary(entries)
        return PDFDictionary(resources)

    def _entries(self, drawing: Drawing, kind: str) -> dict[str, Any]:
        """Return the resources of one kind by name."""
        resources = sorted(resource for resource in drawing.resources if resource.kind == kind)
        return {resource.name: self._reference(resource) for resource in resources}

    def _reference(self, resource: Resource) -> Any:
        if resource not in self._references:
            self._references[resource] = self._document.Reference(self._resource_object(resource), resource.name)
        return self._references[resource]

    def _resource_object(self, resource: Resource) -> PDFObject:
        content = resource.content
        if isinstance(content, Group) and resource.kind == "Pattern":
            return self._group_object(content, kind=resource.definition)
        if isinstance(content, Group):
            return IndirectDictionary(resource.definition, (self._group_object(content, group=TRANSPARENCY_GROUP),))
        return IndirectDictionary(resource.definition, (_mask_form(content),) if content else ())


def _mask_form(mask: Mask) -> FormXObject:
    return FormXObject(mask.box, mask.content, f"<< /Shading << /S {mask.shading} >> >>", LUMINOSITY_GROUP)


def face_box(face: Face) -> BBox:
    """Return the box of a face including bleed, in points."""
    bleed, width, height = to_points(face.bleed), to_points(face.size.width), to_points(face.size.height)
    return (-bleed, -bleed, width + bleed, height + bleed)
