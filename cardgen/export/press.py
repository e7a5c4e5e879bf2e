"""Finished PDFs of cards made to a PDF/X standard."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from io import BytesIO
from typing import Any, TypeAlias

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, String

from cardgen.export.inks import Inks, OutputProfile, PressStandard, copied, flatten, make_pdfx, remove_key
from cardgen.export.pdf.file import face_to_paper
from cardgen.export.pdf.operators import path_operators, shape_operators
from cardgen.face.face import Face
from cardgen.sheet.leaf import Placement, SheetPage, Side, Slot
from cardgen.svg.scene import transformed
from cardgen.units import Shape, compose, to_points


@dataclass(frozen=True, slots=True)
class PressSettings:
    """Requirements of a press.

    `ink_limit` is the maximum total of inks, such as 2.4 for 240%. `cut_contour` is the name of the spot color of cut
    lines; without it, there are none. `corner_radius` is in millimeters, and `dpi` is the resolution of flattened
    pages.
    """

    profile: OutputProfile
    standard: PressStandard = PressStandard.X4
    ink_limit: float = 3.0
    cut_contour: str | None = "CutContour"
    corner_radius: float = 0.0
    dpi: int = 300


def make_press_pdf(document: bytes, pages: Sequence[SheetPage[Any]], settings: PressSettings) -> bytes:
    """Return a document in ink, made to a standard; the same input gives the same bytes.

    `pages` are those that the document was drawn from.
    """
    inks = Inks(settings.profile, settings.ink_limit)
    with pikepdf.open(BytesIO(document)) as pdf:
        if not settings.standard.has_layers:
            flatten(pdf, document, settings.dpi)
        _convert(pdf, inks)
        if settings.cut_contour:
            add_cut_contours(
                pdf, pages, settings.cut_contour, settings.corner_radius, layered=settings.standard.has_layers
            )
        identity = uuid.UUID(bytes=hashlib.sha256(document + settings.profile.content).digest()[:16], version=4)
        make_pdfx(pdf, settings.standard, settings.profile, str(identity))
        return _saved(pdf, settings.standard)


def _convert(pdf: pikepdf.Pdf, inks: Inks) -> None:
    # Converted first, because converting a stream changes neither its number nor its dictionary.
    for page in pdf.pages:
        convert_page(pdf, page, inks)
    for each in list(pdf.objects):
        if isinstance(each, pikepdf.Stream):
            if each.get("/Subtype") == Name.Image:
                _convert_picture(each, inks)
            elif each.get("/Subtype") == Name.Form or each.get("/PatternType") == 1:
                convert_stream(pdf, each, inks)
        _convert_dictionary(pdf, each, inks)


def _convert_dictionary(pdf: pikepdf.Pdf, each: Any, inks: Inks) -> None:
    """Convert the gradients and groups in a dictionary."""
    if not isinstance(each, pikepdf.Dictionary | pikepdf.Stream):
        return
    if "/ShadingType" in each:
        convert_shading(pdf, each, inks)
    if isinstance(shading := each.get("/Shading"), pikepdf.Dictionary):
        shadings = [shading] if "/ShadingType" in shading else shading.values()
        for part in shadings:
            convert_shading(pdf, part, inks)
    if isinstance(patterns := each.get("/Pattern"), pikepdf.Dictionary):
        for pattern in list(patterns.values()):
            if isinstance(shading := pattern.get("/Shading"), pikepdf.Dictionary):
                convert_shading(pdf, shading, inks)
    group = each.get("/Group")
    if isinstance(group, pikepdf.Dictionary) and group.get("/CS") == Name.DeviceRGB:
        group.CS = Name.DeviceCMYK
    if isinstance(resources := each.get("/Resources"), pikepdf.Dictionary) and not resources.is_indirect:
        _convert_dictionary(pdf, resources, inks)


def _convert_picture(image: Any, inks: Inks) -> None:
    """Convert a picture in place; masks and opacities stay."""
    space = image.get("/ColorSpace")
    if image.get("/ImageMask", False) or space is None or space == Name.DeviceGray:
        return
    converted = inks.picture(pikepdf.PdfImage(image).as_pil_image())
    image.write(converted.tobytes())
    image.ColorSpace = Name.DeviceGray if converted.mode == "L" else Name.DeviceCMYK
    image.BitsPerComponent = 8
    remove_key(image, "/Decode")


def _saved(pdf: pikepdf.Pdf, standard: PressStandard) -> bytes:
    output = BytesIO()
    modes = pikepdf.ObjectStreamMode
    pdf.remove_unreferenced_resources()
    pdf.save(
        output,
        deterministic_id=True,
        compress_streams=True,
        recompress_flate=True,
        force_version=standard.pdf_version,
        object_stream_mode=modes.generate if standard.has_layers else modes.disable,
    )
    return output.getvalue()


Instruction: TypeAlias = tuple[Sequence[Any], Operator]
_INK_OPERATORS = {"rg": "k", "g": "k", "sc": "k", "scn": "k", "RG": "K", "G": "K", "SC": "K", "SCN": "K"}
_SPACES = {"cs": ("sc", "scn"), "CS": ("SC", "SCN")}
_DEVICE_SPACES = {"/DeviceRGB": 3, "/DeviceGray": 1, "/CalRGB": 3, "/CalGray": 1}
_SAVE, _RESTORE = "q", "Q"


@dataclass(slots=True)
class _State:
    """Number of components of the current color spaces; 0 if their colors stay as they are."""

    fill: int = 0
    stroke: int = 0


@dataclass(slots=True)
class ContentConverter:
    """Converter of the operators of one stream; `resources` has its color spaces."""

    inks: Inks
    resources: Any
    _state: _State = field(default_factory=_State)
    _saved: list[_State] = field(default_factory=list)
    _in_text: bool = False

    def convert(self, instructions: Iterable[Any]) -> Iterator[Any]:
        """Yield the instructions with colors as ink."""
        for instruction in instructions:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                yield instruction
                continue
            operands, operator = instruction
            converted = self._convert(list(operands), str(operator))
            if converted is not None:
                yield converted

    def _convert(self, operands: list[Any], name: str) -> Instruction | None:
        if name in ("BT", "ET"):
            self._in_text = name == "BT"
        elif name == _SAVE:
            self._saved.append(_State(self._state.fill, self._state.stroke))
        elif name == _RESTORE and self._saved:
            self._state = self._saved.pop()
        elif name in _SPACES:
            return self._select_space(operands, name)
        elif name in _INK_OPERATORS and self._is_converted(name):
            return self._ink(operands, name)
        return (operands, Operator(name))

    def _select_space(self, operands: list[Any], name: str) -> Instruction | None:
        """Note the space; a space of the screen needs no operator, because each ink operator selects its own."""
        components = self._components(operands[0])
        if name == "cs":
            self._state.fill = components
        else:
            self._state.stroke = components
        if not components:
            return (operands, Operator(name))
        return ([0, 0, 0, 1], Operator("k" if name == "cs" else "K"))

    def _components(self, space: Any) -> int:
        definition = (self.resources.get("/ColorSpace", {}) if self.resources is not None else {}).get(
            str(space), space
        )
        if isinstance(definition, pikepdf.Array):
            if str(definition[0]) == "/ICCBased":
                number = int(definition[1].N)
                return number if number in (1, 3) else 0
            definition = definition[0]
        return _DEVICE_SPACES.get(str(definition), 0)

    def _is_converted(self, name: str) -> bool:
        if name in ("sc", "scn"):
            return self._state.fill > 0
        return name not in ("SC", "SCN") or self._state.stroke > 0

    def _ink(self, operands: list[Any], name: str) -> Instruction:
        levels = [min(1.0, max(0.0, float(operand))) for operand in operands]
        red, green, blue = levels if len(levels) == 3 else (levels[0],) * 3
        if name in ("rg", "g"):
            self._state.fill = 0
        elif name in ("RG", "G"):
            self._state.stroke = 0
        ink = self.inks.colour(red, green, blue, is_text=self._in_text)
        # rounded down, so that their total stays under the limit
        return ([Decimal(int(level * 10_000)) / 10_000 for level in ink], Operator(_INK_OPERATORS[name]))


def convert_stream(pdf: pikepdf.Pdf, stream: Any, inks: Inks) -> None:
    """Convert the content of a form or pattern in place."""
    converter = ContentConverter(inks, stream.get("/Resources"))
    stream.write(pikepdf.unparse_content_stream(list(converter.convert(pikepdf.parse_content_stream(stream)))))


def convert_page(pdf: pikepdf.Pdf, page: pikepdf.Page, inks: Inks) -> None:
    """Convert the content of a page."""
    converter = ContentConverter(inks, page.obj.get("/Resources"))
    content = pikepdf.unparse_content_stream(list(converter.convert(pikepdf.parse_content_stream(page))))
    page.obj[Name.Contents] = pdf.make_stream(content)


_SAMPLES = 256
Function: TypeAlias = Callable[[float], Sequence[float]]


def convert_shading(pdf: pikepdf.Pdf, shading: Any, inks: Inks) -> None:
    """Convert an axial or radial gradient in place; grays stay grays."""
    if str(shading.get("/ColorSpace")) != "/DeviceRGB" or "/Function" not in shading:
        return
    start, end = (float(each) for each in shading.get("/Domain", (0, 1)))
    colours = _function(shading.Function)
    samples = bytearray()
    for number in range(_SAMPLES):
        red, green, blue = (
            min(1.0, max(0.0, level)) for level in colours(start + (end - start) * number / (_SAMPLES - 1))
        )
        samples += bytes(int(level * 255) for level in inks.colour(round(red, 4), round(green, 4), round(blue, 4)))
    function = pdf.make_stream(bytes(samples))
    function.FunctionType, function.BitsPerSample = 0, 8
    function.Domain, function.Size = Array([start, end]), Array([_SAMPLES])
    function.Range = Array([0, 1] * 4)
    shading.Function = function
    shading.ColorSpace = Name.DeviceCMYK
    remove_key(shading, "/Background")


def _function(definition: Any) -> Function:
    """Return a function of one variable.

    Raises ValueError for the types that neither our writer nor cairo uses.
    """
    if isinstance(definition, Array):
        parts = [_function(part) for part in definition]
        return lambda x: [part(x)[0] for part in parts]
    kind = int(definition.FunctionType)
    if kind == 2:
        first = [float(level) for level in definition.get("/C0", (0,))]
        last = [float(level) for level in definition.get("/C1", (1,))]
        exponent = float(definition.N)
        return lambda x: [a + x**exponent * (b - a) for a, b in zip(first, last, strict=True)]
    if kind == 3:
        return _stitched(definition)
    raise ValueError(f"unknown function type {kind} (one of 2, 3)")


def _stitched(definition: Dictionary) -> Function:
    parts = [_function(part) for part in definition.Functions]
    low, high = (float(each) for each in definition.Domain)
    bounds = [low, *(float(bound) for bound in definition.Bounds), high]
    encode = [float(each) for each in definition.Encode]

    def value(x: float) -> Sequence[float]:
        index = next((n for n in range(len(parts) - 1) if x < bounds[n + 1]), len(parts) - 1)
        start, end = bounds[index], bounds[index + 1]
        low_code, high_code = encode[2 * index : 2 * index + 2]
        share = (x - start) / (end - start) if end > start else 0.0
        return parts[index](low_code + share * (high_code - low_code))

    return value


# How the spot color looks on a screen: magenta.
_ON_SCREEN = (0, 1, 0, 0)
_WIDTH = 0.25
_SPACE, _STATE, _LAYER = "/CutSpace", "/CutOverprint", "/CutLayer"


def contour_operators(placements: Iterable[Placement[Face]], paper_height: float, radius: float) -> str:
    """Return the closed paths of cut lines in points; `radius` is that of the corners in millimeters."""
    return "\n".join(
        _outline(placement, paper_height) if placement.face.cuts else _contour(placement.slot, paper_height, radius)
        for placement in placements
    )


def _outline(placement: Placement[Face], paper_height: float) -> str:
    """Return the cut lines that the template of a face names."""
    face = placement.face
    # The matrix from millimeters, y downward, to points, y upward.
    matrix = compose(
        (to_points(1), 0, 0, -to_points(1), 0, to_points(paper_height)), face_to_paper(placement.slot, face.size)
    )
    return "\n".join(path_operators(transformed(cut.outline, matrix)) for cut in face.cuts)


def _contour(slot: Slot, paper_height: float, radius: float) -> str:
    box = slot.trim
    if slot.shape is Shape.ROUND:
        x, y = box.x + box.width / 2, paper_height - box.y - box.height / 2
        values = {"cx": x, "cy": y, "r": min(box.width, box.height) / 2}
        return shape_operators("circle", {name: repr(to_points(value)) for name, value in values.items()})
    values = {"x": box.x, "y": paper_height - box.bottom, "width": box.width, "height": box.height, "rx": radius}
    return shape_operators("rect", {name: repr(to_points(value)) for name, value in values.items()})


def add_cut_contours(
    pdf: pikepdf.Pdf, pages: Sequence[SheetPage[Any]], name: str, radius: float, *, layered: bool
) -> None:
    """Draw the cut lines of fronts in the spot color `name`; `layered` if the standard allows layers."""
    tint = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=Array(_ON_SCREEN), N=1)
    space, state = (
        pdf.make_indirect(Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint])),
        pdf.make_indirect(Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1)),
    )
    layer = _add_layer(pdf, name) if layered else None
    for page, pdf_page in zip(pages, pdf.pages, strict=True):
        if page.side is Side.BACK or not page.placements:
            continue
        paths = contour_operators(page.placements, page.paper.height, radius)
        drawn = f"q {_STATE} gs {_SPACE} CS 1 SCN {_WIDTH} w [] 0 d\n{paths} S Q"
        if layer is not None:
            drawn = f"/OC {_LAYER} BDC\n{drawn}\nEMC"
            _resources(pdf_page, "/Properties")[_LAYER] = layer
        _resources(pdf_page, "/ColorSpace")[_SPACE] = space
        _resources(pdf_page, "/ExtGState")[_STATE] = state
        pdf_page.contents_add(b"q", prepend=True)
        pdf_page.contents_add(f"Q\n{drawn}".encode())
        pdf_page.contents_coalesce()


def _resources(page: pikepdf.Page, kind: str) -> Any:
    """Return the page's own resources of a kind; other pages may share the dictionary of all resources."""
    resources = page.obj.Resources = copied(page.obj, "/Resources")
    resources[kind] = copied(resources, kind)
    return resources[kind]


def _add_layer(pdf: pikepdf.Pdf, name: str) -> Any:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name)))
    if "/OCProperties" not in pdf.Root:
        configuration = Dictionary(Name=String("Print"), Order=Array(), OFF=Array())
        pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=configuration)
    pdf.Root.OCProperties.OCGs.append(layer)
    pdf.Root.OCProperties.D.Order.append(layer)
    return layer
