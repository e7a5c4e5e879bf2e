"""Postprocessing with pikepdf: artwork and form fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BufferedReader, BufferedWriter, BytesIO
from typing import Any, BinaryIO

import pikepdf

from cardgen.export.pdf.form_fields import add_form_fields
from cardgen.runtime.scratch_file import ScratchFile
from cardgen.sheet.page import SheetPage
from cardgen.text.fonts import Fonts

_BUFFER = 1 << 16
_COPIED_KEYS = ("/BBox", "/Matrix", "/Resources", "/Group")
# ReportLab's prefix for the names of forms.
_FORM_PREFIX = "/FormXob."


def postprocess(
    document: BinaryIO, artwork: Mapping[str, bytes], pages: Sequence[SheetPage[Any]] = (), fonts: Fonts | None = None
) -> ScratchFile:
    """Return a file of the document with artwork and form fields.

    Each placeholder form of `artwork` is replaced by the first page of its PDF; the fields come from `pages`.
    Gradients, opacity groups, and resources survive. `fonts` has the font of form fields; they are left out without it.
    The same input gives the same bytes. Raises CardgenError if there is no room for temporary files.
    """
    # Mapped into memory, the document would count as our memory; pikepdf reads and writes a few bytes at a time.
    reader: Any = BufferedReader(document, _BUFFER)
    pdf = pikepdf.open(reader, access_mode=pikepdf.AccessMode.stream)
    placeholders = _form_xobjects(pdf) if artwork else {}
    for name, drawn in artwork.items():
        _fill_placeholder(pdf, placeholders[name], drawn)
    if fonts is not None:
        add_form_fields(pdf, pages, fonts)
    file = ScratchFile()
    output = BufferedWriter(file, _BUFFER)
    pdf.save(
        output,
        deterministic_id=True,
        compress_streams=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    pdf.close()
    output.detach()  # flushed by pikepdf
    file.check()
    return file


def _form_xobjects(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """Return all form XObjects by their name on the canvas.

    Faces share one resource dictionary.
    """
    forms: dict[str, Any] = {}
    for each in pdf.objects:
        listed: Any = each.get("/Resources", {}) if isinstance(each, pikepdf.Stream) else each
        if isinstance(listed, pikepdf.Dictionary) and (listed is each or not listed.is_indirect):
            for key, form in listed.get("/XObject", {}).items():
                forms.setdefault(key.removeprefix(_FORM_PREFIX), form)
    return forms


def _fill_placeholder(pdf: pikepdf.Pdf, placeholder: Any, rendered: bytes) -> None:
    with pikepdf.open(BytesIO(rendered)) as source:
        form: Any = pdf.copy_foreign(source.pages[0].as_form_xobject())
    placeholder.write(form.read_raw_bytes(), filter=form.get("/Filter"))
    for key in _COPIED_KEYS:
        if key in form:
            placeholder[key] = form[key]
