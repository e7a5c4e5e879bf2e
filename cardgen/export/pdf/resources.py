"""What faces share in a PDF: fonts, recurring drawings, and artwork and pictures as XObjects.

Form XObjects are in ISO 32000-1, 8.10, and images in 8.9.5.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import count, groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from PIL import Image
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObject, PDFResourceDictionary
from reportlab.pdfbase.ttfonts import TTEncoding, TTFError, TTFont, TTFontFace
from reportlab.pdfgen.canvas import Canvas

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf.operators import BBox, Group, Mask, Resource, SharedPath, Translation, format_number
from cardgen.export.pdf.translator import translate, undrawable_art
from cardgen.export.pictures import Converter, converter_for_pdf, is_jpeg, open_image, quiet_pillow, strips
from cardgen.face.face import Artwork, Face, Item
from cardgen.text.fonts import Font, Fonts, damage
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Run
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
            return _embed_jpeg(image, content)
        return _embed_pixels(image, convert or _plain)


def _embed_jpeg(image: Image.Image, content: bytes) -> ImageXObject:
    inverted = " /Decode [1 0 1 0 1 0 1 0]" if image.mode == "CMYK" else ""
    return ImageXObject(image.size, image.mode, content, f"/Filter [/DCTDecode]{inverted}")


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


# Fonts and drawings that faces share: subsets of fonts, and headings and icons that recur.

# Smaller differences in width, in thousandths of the type size, are rounding errors.
_MIN_KERNING = 0.5
# PDF readers that look at distances take letters farther apart than this for separate words.
_WORD_GAP = 80
_MAX_RUNS = 2048
_UNPRINTABLE = (*range(32), *range(127, 256))
# The exceptions that HarfBuzz and ReportLab raise for damaged fonts.
_FONT_ERRORS = (TTFError, RuntimeError, LookupError, ValueError, ArithmeticError, struct.error)
_STRING_ESCAPES = {ord(mark): f"\\{mark}" for mark in "()\\"} | {code: f"\\{code:03o}" for code in _UNPRINTABLE}


def register_font(fonts: Fonts, family: str) -> str:
    """Register a family's regular font, and return its name in ReportLab.

    A document can use it as its initial font.
    """
    return str(_lazy_font(fonts.font(family)).fontName)


class DocumentFonts:
    """Fonts of one document; `document` is ReportLab's, which assigns the subsets."""

    def __init__(self, document: Any, fonts: Fonts) -> None:
        self._document = document
        self._fonts = fonts
        self._caches: dict[str, _LetterCache] = {}
        self._shown: dict[tuple[str, bytes, str, float], str] = {}

    def show_operators(self, run: Run) -> str:
        """Return the operators that select the font and show a run.

        Position and color must already be set. Most runs of a deck recur, so the last ones are kept.
        """
        key = (run.text, run.packed_advances, run.font, run.size)
        shown = self._shown.get(key)
        if shown is None:
            if len(self._shown) >= _MAX_RUNS:
                self._shown.clear()
            shown = self._shown[key] = " ".join(self._new_operators(run))
        return shown

    def _new_operators(self, run: Run) -> list[str]:
        cache = self._caches.get(run.font)
        if cache is None:
            font = _lazy_font(self._fonts.font_by_key(run.font))
            cache = self._caches[run.font] = _LetterCache(font, self._document)
        found = list(map(cache.__getitem__, zip(run.text, run.advances, strict=True)))
        operators: list[str] = []
        for name, group in groupby(found, attrgetter("font")):
            operators += (f"{name} {run.size:g} Tf", _tj_operator(letter.code for letter in group))
        spaced = cache.spaced and any(letter.spaced for letter in found)
        return [_actual_text_operator(run.text), *operators, "EMC"] if spaced else operators


class _EncodedLetter(NamedTuple):
    """A character and its advance, encoded for one document.

    `font` is its font's name in the PDF. `code` is its escaped code, followed, if necessary, by a kerning adjustment
    that ends and reopens the string. `spaced` is true if the gap behind it looks like a space.
    """

    font: str
    code: str
    spaced: bool


class _LetterCache(dict[tuple[str, float], _EncodedLetter]):
    """Cache of encoded characters of one font, by character and advance.

    `spaced` is true if any of them is.
    """

    def __init__(self, font: _LazyFont, document: Any) -> None:
        super().__init__()
        self._font = font
        self._document = document
        self.spaced = False

    def __missing__(self, key: tuple[str, float]) -> _EncodedLetter:
        character, advance = key
        ((subset, code),) = self._font.splitString(character, self._document)
        text = "".join(_STRING_ESCAPES.get(byte) or chr(byte) for byte in code)
        move_back = self._font.face.getCharWidth(ord(character)) - advance
        if abs(move_back) > _MIN_KERNING:
            text += f") {move_back:.4g} ("
        name = self._font.getSubsetInternalName(subset, self._document)
        letter = self[key] = _EncodedLetter(name, text, move_back < -_WORD_GAP and character != " ")
        self.spaced = self.spaced or letter.spaced
        return letter


def _tj_operator(codes: Iterable[str]) -> str:
    """Return the TJ operator for letters.

    Adjustments between strings are in thousandths of the type size.
    """
    strings = "".join(codes)
    # A bracket in the text would be escaped; this one was opened for letters that do not follow.
    return f"[({strings[:-1]}] TJ" if strings.endswith(" (") else f"[({strings})] TJ"


def _actual_text_operator(text: str) -> str:
    """Start a span that is copied and read aloud as `text`.

    Readers then ignore the distances between its letters.
    """
    return f"/Span <</ActualText <FEFF{text.encode('utf-16be').hex()}>>> BDC"


class _LazyFontFace:
    """Font face for ReportLab that is loaded and subset when embedded.

    ReportLab's own class reads the whole font, which takes ten times as long, and a megabyte.
    """

    subfontNameX = b""  # noqa: N815 - ReportLab's name

    def __init__(self, font: Font) -> None:
        self.name = font.key.encode()
        self.charToGlyph = _CharacterSet(font.face)
        self._face = font.face
        self._path = font.path

    def getCharWidth(self, code: int) -> float:  # noqa: N802 - ReportLab's name
        """Return the width of a character, in thousandths of the type size."""
        return self._face.advance(chr(code)) * 1000

    def addSubsetObjects(self, document: Any, name: str, codes: Sequence[int]) -> Any:  # noqa: N802 - ReportLab's name
        """Embed the font with only these characters, in this order.

        Raises CardgenError if the font is damaged.
        """
        try:
            letters = BytesIO(self._face.subset("".join(map(chr, codes)), self.name.decode()))
            return TTFontFace(letters).addSubsetObjects(document, name, codes)
        except _FONT_ERRORS as error:
            raise CardgenError(damage(self._path, error)) from None


class _CharacterSet:
    """Characters of a font, by code point."""

    def __init__(self, face: FontFace) -> None:
        self._face = face

    def __contains__(self, code: int) -> bool:
        return self._face.has_glyph(chr(code))


class _LazyFont(TTFont):  # type: ignore[misc]  # ReportLab has no types
    """ReportLab font that is not read before it is embedded."""

    def __init__(self, font: Font) -> None:
        self.fontName = font.key
        self.face = _LazyFontFace(font)
        self.encoding = TTEncoding()
        self.state: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self.shapable = False
        self._asciiReadable = True


@lru_cache(maxsize=64)
def _lazy_font(font: Font) -> _LazyFont:
    lazy = _LazyFont(font)
    pdfmetrics.registerFont(lazy)
    return lazy


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
                self._share(uses, item, face)
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

    def _share(self, uses: _Uses, item: Item, face: Face) -> None:
        """Make a form of a drawing, unless it is short."""
        operators = uses.drawing.operators
        if len(operators) >= _MIN_LENGTH:
            uses.drawing = self._make_form(uses.drawing, item, face)
            self._forms[operators] = self._candidates.pop(operators)

    def _forget(self) -> None:
        """Halve the uses of all candidates, and forget those that were used only once since."""
        for uses in self._candidates.values():
            uses.count //= 2
        for key in [key for key, uses in self._candidates.items() if not uses.count]:
            del self._candidates[key]
        for number in [number for number, (uses, _) in self._items.items() if not uses.count]:
            del self._items[number]
