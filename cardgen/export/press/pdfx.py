"""PDF/X (ISO 15930): output intent, metadata, and boxes."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.export.press.dictionaries import remove_key
from cardgen.export.press.ink import OutputProfile
from cardgen.runtime.xml_escape import escape


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
