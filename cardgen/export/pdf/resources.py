"""What faces share in a PDF: recurring drawings, and artwork and pictures as XObjects.

Form XObjects are in ISO 32000-1, 8.10, and images in 8.9.5.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from PIL import Image
from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObject, PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf.operators import BBox, Group, Mask, Resource, SharedPath, Translation, format_number
from cardgen.export.pdf.translator import translate, undrawable_art
from cardgen.export.pictures import Converter, converter_for_pdf, is_jpeg, open_image, quiet_pillow, strips
from cardgen.face.face import Artwork, Face, Item
from cardgen.units import to_points

_FORM = "/Type /XObject /Subtype /Form"
TRANSPARENCY_GROUP = "/Group << /S /Transparency /I true /CS /DeviceRGB >>"
LUMINOSITY_GROUP = "/Group << /S /Transparency /I true /CS /DeviceGray >>"


class FormXObject(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """Operators in a box, with ReportLab's object for their resources.

    The box is left, bottom, right, and top, in points. `group` is an entry that makes the form a group, and `kind` has
    the first entries, which are others for a tiling pattern.
    """

    __RefOnly__ = 1

    def __init__(
        self, box: BBox, content: str, resources: pdfdoc.PDFObject | str, group: str = "", kind: str = _FORM
    ) -> None:
        self._kind = kind
        self._box = _box_operands(box)
        self._group = group
        self._content = zlib.compress(content.encode("ascii"))
        self._resources = resources

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file.

        Its filter is a name, not a list with one name as ReportLab writes it, because qpdf would compress such a stream
        again.
        """
        head = f"<< {self._kind} /BBox [{self._box}] /Filter /FlateDecode /Length {len(self._content)}"
        if self._group:
            head = f"{head} {self._group}"
        resources: bytes = pdfdoc.format(self._resources, document)
        return b"%s /Resources %s >>\nstream\n%s\nendstream\n" % (head.encode(), resources, self._content)


@lru_cache(maxsize=64)
def _box_operands(box: BBox) -> str:
    return " ".join(map(format_number, box))


class IndirectDictionary(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """A dictionary in the syntax of PDF, as an object of its own.

    Each '%s' in it becomes a reference to a form.
    """

    __RefOnly__ = 1

    def __init__(self, definition: str, forms: tuple[FormXObject, ...] = ()) -> None:
        self._definition = definition
        self._forms = forms

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file."""
        references = tuple(pdfdoc.format(form, document).decode() for form in self._forms)
        return (self._definition % references).encode("ascii")


def do_operator(name: str) -> str:
    """Return the operator that paints a form or an image."""
    return f"/{pdfdoc.xObjectName(name)} Do"


@contextmanager
def capture(canvas: Canvas) -> Iterator[tuple[list[str], list[str]]]:
    """Capture what the block draws instead of adding it to the page.

    When the block ends, the first list has the operators, the second the names of the forms and images that they paint.
    """
    code, names = canvas._code, canvas._formsinuse
    starts = len(code), len(names)
    operators: list[str] = []
    used: list[str] = []
    yield operators, used
    for whole, target, start in ((code, operators, starts[0]), (names, used, starts[1])):
        target += whole[start:]
        del whole[start:]


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
        return self.with_states(Drawing(f"q\n{content.operators}\nQ", content.xobjects, content.resources))

    def with_states(self, drawing: Drawing) -> Drawing:
        """Let faces use the patterns and graphics states of a drawing, and return it."""
        if drawing.resources:
            self._resources.Pattern.update(self._entries(drawing, "Pattern"))
            self._resources.ExtGState.update(self._entries(drawing, "ExtGState"))
        return drawing

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


_SPACES = {"L": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}
_MIN_COMPRESSION = 6


class ImageXObject(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """A picture of compressed samples with 8 bits each.

    `entries` are further entries of its dictionary. `alpha`, if any, is the picture of its opacity.
    """

    __RefOnly__ = 1

    def __init__(
        self, size: tuple[int, int], mode: str, samples: bytes, entries: str, alpha: ImageXObject | None = None
    ) -> None:
        width, height = size
        self._head = (
            f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8"
            f" /ColorSpace /{_SPACES[mode]} {entries} /Length {len(samples)}"
        )
        self._samples = samples
        self._alpha = alpha

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file, once: its samples are not kept in memory twice."""
        alpha = b" /SMask " + pdfdoc.format(document.Reference(self._alpha), document) if self._alpha else b""
        samples, self._samples = self._samples, b""
        return b"%s%s >>\nstream\n%s\nendstream\n" % (self._head.encode(), alpha, samples)


def embed(content: bytes) -> ImageXObject:
    """Return the picture of a PNG or JPEG file, as it is stored: not turned by its EXIF orientation."""
    with quiet_pillow(), open_image(content) as image:
        convert = converter_for_pdf(image)
        if is_jpeg(image) and convert is None:
            inverted = " /Decode [1 0 1 0 1 0 1 0]" if image.mode == "CMYK" else ""
            return ImageXObject(image.size, image.mode, content, f"/Filter [/DCTDecode]{inverted}")
        return _embed_pixels(image, convert or _plain)


def _embed_pixels(image: Image.Image, convert: Converter) -> ImageXObject:
    colours, alphas = zlib.compressobj(_MIN_COMPRESSION), zlib.compressobj(_MIN_COMPRESSION)
    colour_parts: list[bytes] = []
    alpha_parts: list[bytes] = []
    mode = ""
    for strip in (convert(each) for _, each in strips(image)):
        mode = strip.mode.removesuffix("A")
        if strip.mode != mode:
            alpha_parts.append(alphas.compress(strip.getchannel("A").tobytes()))
        colour_parts.append(colours.compress(strip.convert(mode).tobytes() if strip.mode != mode else strip.tobytes()))
    flate = "/Filter /FlateDecode"
    samples = b"".join([*colour_parts, colours.flush()])
    if not alpha_parts:
        return ImageXObject(image.size, mode, samples, flate)
    alpha = ImageXObject(image.size, "L", b"".join([*alpha_parts, alphas.flush()]), f"{flate} /Decode [0 1]")
    return ImageXObject(image.size, mode, samples, flate, alpha)


def _plain(strip: Image.Image) -> Image.Image:
    """Return a strip in gray or color, with alpha if any of it can be transparent."""
    if strip.mode in ("L", "LA", "RGB", "RGBA"):
        return strip
    if strip.mode == "1":
        return strip.convert("L")
    return strip.convert("RGBA" if "transparency" in strip.info else "RGB")


# Drawings that faces share, such as headings and icons that recur.

# A drawing becomes a form when it is used this often. Writing a form costs about as much as that many uses of it save.
_FORM_FROM = 12
# Shorter operators take as little space as those that paint a form.
_MIN_LENGTH = 48
# Drawings that are kept in case they recur, and items whose drawings are known.
_MAX_CANDIDATES = 2048
_MAX_ITEMS = 2048

Draw: TypeAlias = Callable[[Item, Face], Drawing]
MakeForm: TypeAlias = Callable[[Drawing, Item, Face], Drawing]


@dataclass(slots=True)
class _Uses:
    """A drawing, and the number of its uses."""

    drawing: Drawing
    count: int = 0


class SharedDrawings:
    """The drawings of the items of faces that have the same size and bleed.

    Whether items are the same objects changes nothing in the document: what becomes a form depends on operators.
    """

    def __init__(self, draw: Draw, make_form: MakeForm) -> None:
        self._draw = draw
        self._make_form = make_form
        # Keyed by identity, because items are long to compare; the item is stored to keep it alive.
        self._items: dict[int, tuple[_Uses, Item]] = {}
        # By operators.
        self._candidates: dict[str, _Uses] = {}
        self._forms: dict[str, _Uses] = {}

    def content(self, face: Face) -> str:
        """Return the operators that draw a face."""
        items, parts = self._items, []
        for item in face.items:
            entry = items.get(id(item))
            uses = entry[0] if entry else self._find(item, face)
            uses.count += 1
            if uses.count == _FORM_FROM:
                # Make a form of a drawing, unless it is short.
                operators = uses.drawing.operators
                if len(operators) >= _MIN_LENGTH:
                    uses.drawing = self._make_form(uses.drawing, item, face)
                    self._forms[operators] = self._candidates.pop(operators)
            parts.append(uses.drawing.operators)
        return "\n".join(parts)

    def _find(self, item: Item, face: Face) -> _Uses:
        """Return the uses of the drawing of an item, which is kept if others have the same."""
        drawing = self._draw(item, face)
        uses = self._forms.get(drawing.operators) or self._candidates.get(drawing.operators)
        if uses is None:
            if len(self._candidates) >= _MAX_CANDIDATES:
                self._forget()
            uses = self._candidates[drawing.operators] = _Uses(drawing)
        else:
            if len(self._items) >= _MAX_ITEMS:
                self._items.clear()
            self._items[id(item)] = (uses, item)
        return uses

    def _forget(self) -> None:
        """Halve the uses of all candidates, and forget those that were used only once since."""
        for uses in self._candidates.values():
            uses.count //= 2
        for key in [key for key, uses in self._candidates.items() if not uses.count]:
            del self._candidates[key]
        for number in [number for number, (uses, _) in self._items.items() if not uses.count]:
            del self._items[number]
