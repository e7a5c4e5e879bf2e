"""Pages without transparency: what is transparent becomes a picture, and text stays text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Dictionary, Name, Operator
from PIL import Image, ImageChops

from cardgen.export.press.dictionaries import copied, remove_key

_PAINT = frozenset({"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"})
_KEPT = frozenset({
    "q", "Q", "cm", "W", "W*", "n", "m", "l", "c", "v", "y", "h", "re",
    "g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN",
})  # fmt: skip
# Resolution at which a flattened page is compared with its original, side of the compared squares in pixels, and the
# difference of their means above which text is not where it was.
_COMPARISON_DPI, _SQUARE, _TOLERANCE = 72, 6, 48


def flatten(pdf: pikepdf.Pdf, document: bytes, dpi: int) -> int:
    """Flatten the pages of `pdf` that use transparency, and return their number.

    `document` is the same PDF as bytes. Everything but text becomes one picture of that resolution; so does text that
    other things cover.
    """
    numbers = [number for number, page in enumerate(pdf.pages) if has_transparency(page.obj)]
    if not numbers:
        return 0
    backgrounds = _render(_without_text(document, numbers), numbers, dpi)
    for number, background in zip(numbers, backgrounds, strict=True):
        _replace_page(pdf, pdf.pages[number], background, keep_text=True)
    _replace_changed(pdf, document, numbers, dpi)
    return len(numbers)


def has_transparency(holder: Any) -> bool:
    """Return whether a page or form uses transparency, in itself or in its forms, patterns, and pictures."""
    waiting, seen = [holder], set()
    while waiting:
        resources = waiting.pop().get("/Resources", {})
        if any(map(_is_transparent_state, resources.get("/ExtGState", {}).values())):
            return True
        xobjects = list(resources.get("/XObject", {}).values())
        if any("/SMask" in each or "/Group" in each for each in xobjects):
            return True
        for each in (*xobjects, *_tilings(resources)):
            if each.objgen not in seen:
                seen.add(each.objgen)
                waiting.append(each)
    return False


def _tilings(resources: Any) -> Iterator[Any]:
    return (each for each in resources.get("/Pattern", {}).values() if isinstance(each, pikepdf.Stream))


def _is_transparent_state(state: Any) -> bool:
    opacities = (float(state.get(key, 1)) for key in ("/ca", "/CA"))
    masked = isinstance(state.get("/SMask"), pikepdf.Dictionary)
    return masked or min(opacities) < 1 or str(state.get("/BM", "/Normal")) not in ("/Normal", "/Compatible")


def _render(document: bytes, numbers: Iterable[int], dpi: int) -> Iterator[Image.Image]:
    with pypdfium2.PdfDocument(document) as pages:
        for number in numbers:
            yield pages[number].render(scale=dpi / 72).to_pil().convert("RGB")


def _without_text(document: bytes, numbers: Iterable[int]) -> bytes:
    with pikepdf.open(BytesIO(document)) as pdf:
        for number in numbers:
            _rewrite_page(pdf, pdf.pages[number], _painted)
        output = BytesIO()
        pdf.save(output)
        return output.getvalue()


Filter = Callable[[pikepdf.Pdf, Any, dict[str, Any]], bytes]


def _painted(pdf: pikepdf.Pdf, stream: Any, forms: dict[str, Any]) -> bytes:
    """Return the content without text."""
    kept = []
    in_text = False
    for instruction in pikepdf.parse_content_stream(stream):
        name = str(instruction.operator)
        in_text = name == "BT" or (in_text and name != "ET")
        if not in_text and name != "ET":
            kept.append(instruction)
    _copy_forms(pdf, stream, forms, _painted)
    return pikepdf.unparse_content_stream(kept)


def _text_only(pdf: pikepdf.Pdf, stream: Any, forms: dict[str, Any]) -> bytes:
    """Return the content with nothing but text, its colors, and its clips."""
    kept: list[Any] = []
    in_text = False
    _copy_forms(pdf, stream, forms, _text_only)
    for instruction in pikepdf.parse_content_stream(stream):
        name = str(instruction.operator)
        in_text = name == "BT" or (in_text and name != "ET")
        if in_text or name == "ET" or name in _KEPT:
            kept.append(instruction)
        elif name in _PAINT:
            kept.append(([], Operator("n")))
        elif name == "Do" and str(instruction.operands[0]) in forms:
            kept.append(instruction)
    return pikepdf.unparse_content_stream(kept)


def _copy_forms(pdf: pikepdf.Pdf, holder: Any, forms: dict[str, Any], keep: Filter) -> None:
    """Add filtered copies of the forms that a page or form uses to `forms`, by name."""
    source: Any = holder.obj if isinstance(holder, pikepdf.Page) else holder
    xobjects = source.get("/Resources", {}).get("/XObject", {})
    used = {str(each.operands[0]) for each in pikepdf.parse_content_stream(holder) if str(each.operator) == "Do"}
    for name in sorted(used & set(xobjects.keys())):
        form = xobjects[name]
        if form.get("/Subtype") != Name.Form:
            continue
        inner: dict[str, Any] = {}
        content = keep(pdf, form, inner)
        copy = pdf.make_stream(content)
        for key in ("/Type", "/Subtype", "/BBox", "/Matrix", *(("/Group",) if keep is _painted else ())):
            if key in form:
                copy[key] = form[key]
        copy.Resources = _resources(form, inner, keep)
        forms[name] = copy


def _resources(holder: Any, forms: dict[str, Any], keep: Filter) -> Any:
    resources = copied(holder, "/Resources")
    if keep is _text_only:
        return Dictionary(
            {
                "/XObject": Dictionary(forms),
                **{key: resources[key] for key in ("/Font", "/ColorSpace") if key in resources},
            }
        )
    xobjects = copied(resources, "/XObject")
    for name, form in forms.items():
        xobjects[name] = form
    resources.XObject = xobjects
    return resources


def _rewrite_page(pdf: pikepdf.Pdf, page: pikepdf.Page, keep: Filter) -> None:
    forms: dict[str, Any] = {}
    content = keep(pdf, page, forms)
    page.obj.Resources = _resources(page.obj, forms, keep)
    page.obj.Contents = pdf.make_stream(content)


def _replace_page(pdf: pikepdf.Pdf, page: pikepdf.Page, background: Image.Image, *, keep_text: bool) -> None:
    """Replace the content of a page by a picture, and its text."""
    if keep_text:
        _rewrite_page(pdf, page, _text_only)
        remove_key(page.obj, "/Group")
    else:
        page.obj.Resources, page.obj.Contents = Dictionary(), pdf.make_stream(b"")
    picture = pdf.make_stream(background.tobytes())
    picture.Type, picture.Subtype = Name.XObject, Name.Image
    picture.Width, picture.Height = background.size
    picture.ColorSpace, picture.BitsPerComponent = Name.DeviceRGB, 8
    page.obj.Resources.XObject = copied(page.obj.Resources, "/XObject")
    page.obj.Resources.XObject["/FlatPage"] = picture
    left, bottom, right, top = (float(side) for side in page.mediabox)
    place = f"q {right - left:.4f} 0 0 {top - bottom:.4f} {left:.4f} {bottom:.4f} cm /FlatPage Do Q q\n"
    content = page.obj.Contents.read_bytes()
    page.obj.Contents = pdf.make_stream(place.encode() + content + b"\nQ")


def _replace_changed(pdf: pikepdf.Pdf, document: bytes, numbers: list[int], dpi: int) -> None:
    """Replace the pages whose text was covered by pictures of them."""
    output = BytesIO()
    pdf.save(output)
    before = _render(document, numbers, _COMPARISON_DPI)
    after = _render(output.getvalue(), numbers, _COMPARISON_DPI)
    changed = [n for n, first, second in zip(numbers, before, after, strict=True) if _differ(first, second)]
    for number, whole in zip(changed, _render(document, changed, dpi), strict=True):
        _replace_page(pdf, pdf.pages[number], whole, keep_text=False)


def _differ(first: Image.Image, second: Image.Image) -> bool:
    difference = ImageChops.difference(first, second).convert("L").reduce(_SQUARE)
    return difference.getextrema()[1] > _TOLERANCE  # type: ignore[operator]  # one channel has one pair
