"""Colors as ink: CMYK by an ICC profile, pages without transparency, and PDF/X (ISO 15930)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, Operator, String
from PIL import Image, ImageChops, ImageCms, ImageFilter

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import display_path, require_inside
from cardgen.runtime import regular_file
from cardgen.runtime.escapes import escape_xml as escape
from cardgen.runtime.fingerprint import find_project_root

Ink: TypeAlias = tuple[float, float, float, float]
_MAX_BYTES = 16 * 2**20
# Levels per channel of the lookup table for pictures.
_LEVELS = 33
# Margin of the limit for rounding four inks to bytes.
_ROUNDING = 0.01
# Colors of text whose channels are at most this dark, and differ by at most this much, are printed with black alone.
_DARK, _NEARLY_NEUTRAL = 0.30, 0.12
_NEUTRAL = 1.5 / 255


@dataclass(frozen=True, slots=True)
class OutputProfile:
    """ICC profile of a printing condition: its bytes and description."""

    content: bytes
    description: str


def load_profile(path: Path) -> OutputProfile:
    """Read an ICC profile.

    Raises CardgenError if it is not one of a CMYK printing condition, and for a link out of the current project.
    """
    root, absolute = find_project_root(Path.cwd()), Path.cwd() / path
    if absolute.is_relative_to(root):  # Those of the system often are links.
        require_inside(root, absolute, display_path(path))
    try:
        content = regular_file.read(path, _MAX_BYTES)
    except regular_file.FileTooLargeError:
        raise _bad_profile(path, "the file is too large for an ICC profile") from None
    except OSError as error:
        raise _bad_profile(path, f"the file cannot be read: {error.strerror or error}") from None
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(content)).profile
        space, device = profile.xcolor_space.strip(), profile.device_class.strip()
        description = (profile.profile_description or path.stem).strip()
    except (OSError, ImageCms.PyCMSError, ValueError):
        raise _bad_profile(path, "the file is not an ICC profile") from None
    if (space, device) != ("CMYK", "prtr"):
        raise _bad_profile(path, f"must be a profile of a CMYK printing condition, not of {space} ({device})")
    loaded = OutputProfile(content, description)
    try:
        Inks(loaded, 1).require_tables()
    except (OSError, ImageCms.PyCMSError, ValueError):
        raise _bad_profile(path, "the profile is damaged: colors cannot be converted with it") from None
    return loaded


def _bad_profile(path: Path, message: str) -> CardgenError:
    advice = "use the profile that your print shop specifies; profiles are free from ECI and Idealliance"
    return CardgenError(Diagnostic(Code.BAD_PROFILE, message, Place(str(path)), help=advice))


class _CachedProfile(ImageCms.ImageCmsProfile):
    """Profile that keeps its content: Pillow asks for it at every color, and would serialize it each time."""

    def __init__(self, content: bytes) -> None:
        super().__init__(BytesIO(content))
        self._content = content

    def tobytes(self) -> bytes:
        """Return the content of the file."""
        return self._content


class Inks:
    """Conversion of screen colors to the inks of one profile.

    `limit` is the maximum total of the inks, such as 2.4 for 240%. `profile` is the content of the ICC file.
    """

    def __init__(self, profile: OutputProfile, limit: float) -> None:
        self.limit = limit
        self.profile = profile.content
        self.colour = lru_cache(maxsize=4096)(self._colour)

    def require_tables(self) -> None:
        """Raise ImageCms.PyCMSError if the profile lacks a table in one of the directions, or it is damaged."""
        pixel = Image.new("CMYK", (1, 1))
        self._separated(ImageCms.applyTransform(pixel, self._to_screen) or pixel.convert("RGB"))

    def _colour(self, red: float, green: float, blue: float, *, is_text: bool = False) -> Ink:
        """Return a color from 0 to 1 as ink; nearly black text is black alone."""
        levels = (red, green, blue)
        spread = max(levels) - min(levels)
        if spread <= _NEUTRAL or (is_text and max(levels) <= _DARK and spread <= _NEARLY_NEUTRAL):
            return (0.0, 0.0, 0.0, 1 - sum(levels) / 3 if spread <= _NEUTRAL else 1.0)
        pixel = Image.new("RGB", (1, 1), tuple(round(255 * level) for level in levels))
        return _limited(self._separated(pixel).tobytes(), self.limit - _ROUNDING)

    def _separated(self, picture: Image.Image) -> Image.Image:
        """Return a picture as the profile alone separates it."""
        separated = ImageCms.applyTransform(picture, self._transform)
        assert separated is not None
        return separated

    @cached_property
    def _transform(self) -> Any:
        return ImageCms.buildTransform(
            ImageCms.createProfile("sRGB"),
            _CachedProfile(self.profile),
            "RGB",
            "CMYK",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )

    @cached_property
    def _to_screen(self) -> Any:
        return ImageCms.buildTransform(_CachedProfile(self.profile), ImageCms.createProfile("sRGB"), "CMYK", "RGB")

    @cached_property
    def _table(self) -> ImageFilter.Color3DLUT:
        steps = [round(255 * step / (_LEVELS - 1)) for step in range(_LEVELS)]
        nodes = bytes(level for blue in steps for green in steps for red in steps for level in (red, green, blue))
        separated = self._separated(Image.frombytes("RGB", (_LEVELS**2, _LEVELS), nodes)).tobytes()
        limit = self.limit - _ROUNDING
        table = [
            level for start in range(0, len(separated), 4) for level in _limited(separated[start : start + 4], limit)
        ]
        return ImageFilter.Color3DLUT(_LEVELS, table, channels=4, target_mode="CMYK")

    def picture(self, picture: Image.Image) -> Image.Image:
        """Return a picture in gray or ink; the grays of a color picture are black ink only."""
        if picture.mode in ("1", "L"):
            return picture.convert("L")
        if picture.mode == "CMYK":
            on_screen = ImageCms.applyTransform(picture, self._to_screen)
            assert on_screen is not None
            picture = on_screen
        colours = picture.convert("RGB")
        if self.limit <= 0:
            raise ValueError("the ink limit must be greater than 0")
        separated = colours.filter(self._table)
        red, green, blue = colours.split()
        spread = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
        neutral = spread.point([255] + [0] * 255)
        none = Image.new("L", colours.size)
        black = Image.merge("CMYK", (none, none, none, ImageChops.invert(green)))
        return Image.composite(black, separated, neutral)


def _limited(levels: bytes, limit: float) -> Ink:
    """Return ink of at most the limit; black is kept, and the others are reduced together."""
    cyan, magenta, yellow, black = (level / 255 for level in levels)
    colours = cyan + magenta + yellow
    factor = max(0.0, min(1.0, (limit - black) / colours)) if colours else 1.0
    return (cyan * factor, magenta * factor, yellow * factor, min(black, limit))


def remove_key(holder: Any, key: str) -> None:
    """Remove a key of a dictionary or stream, if it is there."""
    if key in holder:
        del holder[key]


def copied(holder: Any, key: str) -> Dictionary:
    """Return a copy of the dictionary under a key, empty if there is none; others may share the original."""
    return Dictionary(dict(holder[key].items()) if key in holder else {})


class PressStandard(StrEnum):
    """Standards that a document can be made to."""

    X1A = "PDF/X-1a:2003"
    X4 = "PDF/X-4"

    @property
    def has_layers(self) -> bool:
        """True if the standard allows layers and transparency."""
        return self is PressStandard.X4

    @property
    def pdf_version(self) -> str:
        """The version of PDF that the standard is based on."""
        return "1.6" if self is PressStandard.X4 else "1.4"


_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<pdf:Producer>{producer}</pdf:Producer><pdf:Trapped>False</pdf:Trapped>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate><xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:{identity}</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdfxid:GTS_PDFXVersion>{version}</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)")
# Not allowed in PDF/X, or meant for screens.
_SCREEN_KEYS = ("/AcroForm", "/OpenAction", "/AA", "/Names")


def make_pdfx(pdf: pikepdf.Pdf, standard: PressStandard, profile: OutputProfile, identity: str) -> None:
    """Add the output intent and metadata of a standard; remove what it forbids.

    `identity` is the UUID of the document.
    """
    for key in _SCREEN_KEYS:
        remove_key(pdf.Root, key)
    for page in pdf.pages:
        remove_key(page.obj, "/Annots")
    pdf.Root.OutputIntents = Array([_output_intent(pdf, profile)])
    pdf.docinfo[Name.Trapped] = Name("/False")
    pdf.docinfo[Name.GTS_PDFXVersion] = String(standard.value)
    pdf.docinfo[Name.ModDate] = pdf.docinfo.get("/CreationDate", String("D:20000101000000Z"))
    pdf.Root.Metadata = pdf.make_stream(_xmp(pdf.docinfo, standard, identity).encode())
    pdf.Root.Metadata.Type, pdf.Root.Metadata.Subtype = Name.Metadata, Name.XML


def _output_intent(pdf: pikepdf.Pdf, profile: OutputProfile) -> Dictionary:
    stream = pdf.make_stream(profile.content)
    stream.N = 4
    stream.Alternate = Name.DeviceCMYK
    return Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String("Custom"),
        OutputCondition=String(profile.description),
        Info=String(profile.description),
        DestOutputProfile=stream,
    )


def _xmp(info: Any, standard: PressStandard, identity: str) -> str:
    match = _DATE.match(str(info.get("/CreationDate", "")))
    year, month, day, hour, minute, second = match.groups() if match else ("2000", "01", "01", "00", "00", "00")
    return _XMP.format(
        title=escape(str(info.get("/Title", ""))),
        producer=escape(str(info.get("/Producer", ""))),
        creator=escape(str(info.get("/Creator", ""))),
        date=f"{year}-{month}-{day}T{hour}:{minute}:{second}Z",
        identity=identity,
        version=standard.value,
    )


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
    # Replace the pages whose text was covered by pictures of them.
    output = BytesIO()
    pdf.save(output)
    before = _render(document, numbers, _COMPARISON_DPI)
    after = _render(output.getvalue(), numbers, _COMPARISON_DPI)
    changed = [n for n, first, second in zip(numbers, before, after, strict=True) if _differ(first, second)]
    for page, whole in zip(changed, _render(document, changed, dpi), strict=True):
        _replace_page(pdf, pdf.pages[page], whole, keep_text=False)
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
        patterns = resources.get("/Pattern", {}).values()
        for each in (*xobjects, *(each for each in patterns if isinstance(each, pikepdf.Stream))):
            if each.objgen not in seen:
                seen.add(each.objgen)
                waiting.append(each)
    return False


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


def _differ(first: Image.Image, second: Image.Image) -> bool:
    difference = ImageChops.difference(first, second).convert("L").reduce(_SQUARE)
    return difference.getextrema()[1] > _TOLERANCE  # type: ignore[operator]  # one channel has one pair
