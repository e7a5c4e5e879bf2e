"""Linking: placeholder forms are filled with the artwork that CairoSVG drew, and the document is finished."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf

from cardgen.export import forms, layers
from cardgen.sheet.page import SheetPage

_COPIED_KEYS = ("/BBox", "/Matrix", "/Resources", "/Group")
# What ReportLab puts before the name of a form.
_FORM_PREFIX = "/FormXob."


def postprocess(document: bytes, artwork: Mapping[str, bytes], pages: Sequence[SheetPage[Any]] = ()) -> bytes:
    """The document with each placeholder form of `artwork` replaced by the first page of its PDF, and what its
    `pages` say of themselves: layers, bookmarks, numbers and fields to fill in.

    Gradients, opacity groups and resources survive; the same input gives the same bytes.
    """
    pdf = pikepdf.open(io.BytesIO(document))
    placeholders = _form_xobjects(pdf) if artwork else {}
    for name, drawn in artwork.items():
        _fill_placeholder(pdf, placeholders[name], drawn)
    if pages:
        layers.add_layers(pdf, pages)
        layers.add_outline(pdf, pages)
        forms.add_form_fields(pdf, pages)
    out = io.BytesIO()
    pdf.save(
        out,
        deterministic_id=True,
        compress_streams=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )
    return out.getvalue()


def _form_xobjects(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """All forms that can be shown, by the name that they have in the canvas; faces share one list of them."""
    forms: dict[str, Any] = {}
    for each in pdf.objects:
        listed: Any = each.get("/Resources", {}) if isinstance(each, pikepdf.Stream) else each
        if isinstance(listed, pikepdf.Dictionary) and (listed is each or not listed.is_indirect):
            for key, form in listed.get("/XObject", {}).items():
                forms.setdefault(key.removeprefix(_FORM_PREFIX), form)
    return forms


def _fill_placeholder(pdf: pikepdf.Pdf, placeholder: Any, rendered: bytes) -> None:
    with pikepdf.open(io.BytesIO(rendered)) as source:
        form: Any = pdf.copy_foreign(source.pages[0].as_form_xobject())
    placeholder.write(form.read_raw_bytes(), filter=form.get("/Filter"))
    for key in _COPIED_KEYS:
        if key in form:
            placeholder[key] = form[key]
