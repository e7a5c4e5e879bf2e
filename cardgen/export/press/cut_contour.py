"""Cut lines as closed paths in a spot color, on a layer of their own, printed over the inks below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.affine import Matrix, compose
from cardgen.export.pdf.faces import face_to_paper
from cardgen.export.pdf.operators import path_operators, shape_operators
from cardgen.export.press.dictionaries import copied
from cardgen.face.face import Face
from cardgen.face.vector_art.outlines import transformed
from cardgen.sheet.page import Placement, SheetPage, Side, Slot
from cardgen.units import Shape, to_points

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
    matrix = compose(_to_pdf(paper_height), face_to_paper(placement.slot, face.size))
    return "\n".join(path_operators(transformed(cut.outline, matrix)) for cut in face.cuts)


def _to_pdf(paper_height: float) -> Matrix:
    """Return the matrix from millimeters, y downward, to points, y upward."""
    return (to_points(1), 0, 0, -to_points(1), 0, to_points(paper_height))


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
    space, state = _spot_space(pdf, name), pdf.make_indirect(Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1))
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


def _spot_space(pdf: pikepdf.Pdf, name: str) -> Any:
    tint = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=Array(_ON_SCREEN), N=1)
    return pdf.make_indirect(Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint]))


def _add_layer(pdf: pikepdf.Pdf, name: str) -> Any:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name)))
    if "/OCProperties" not in pdf.Root:
        configuration = Dictionary(Name=String("Print"), Order=Array(), OFF=Array())
        pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=configuration)
    pdf.Root.OCProperties.OCGs.append(layer)
    pdf.Root.OCProperties.D.Order.append(layer)
    return layer
