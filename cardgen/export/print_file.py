"""One PDF of all sheets, and what to choose in the dialog of a printer."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name

from cardgen.units import PAPER_SIZES, Size, to_mm

_SIMPLEX, _UNKNOWN = "/Simplex", ""
# What documents say of their sides; those whose sheets are turned over different edges say nothing.
_SIDES = {
    _SIMPLEX: "one side (simplex)",
    "/DuplexFlipLongEdge": "both sides, flip on the long edge",
    "/DuplexFlipShortEdge": "both sides, flip on the short edge",
    _UNKNOWN: "both sides, each sheet over its own edge",
}
# Names of paper such as A4 are in capitals, and Letter and Tabloid are words.
_SHORT_NAME = 2


def join(paths: Sequence[str], target: Path) -> tuple[str, str]:
    """Write the documents of a build as one; return the names of its paper, and the sides to print, in words.

    If only some of them are printed on both sides, the sheets of the others get empty backs.
    """
    with ExitStack() as stack:
        parts = [stack.enter_context(pikepdf.open(path)) for path in paths]
        modes = [_mode(part) for part in parts]
        duplex = [mode for mode in dict.fromkeys(modes) if mode != _SIMPLEX]
        papers = dict.fromkeys(_paper(part) for part in parts)
        if len(parts) == 1:
            shutil.copyfile(paths[0], target)
        else:
            whole = stack.enter_context(pikepdf.new())
            for part, mode in zip(parts, modes, strict=True):
                _append(whole, part, has_backs=mode != _SIMPLEX, needs_backs=bool(duplex))
            whole.Root.ViewerPreferences = Dictionary(PrintScaling=Name("/None"))
            if len(duplex) <= 1 and _UNKNOWN not in duplex:
                whole.Root.ViewerPreferences.Duplex = Name(duplex[0] if duplex else _SIMPLEX)
            whole.save(target)
    return ", ".join(papers), " or ".join(_SIDES[mode] for mode in duplex or [_SIMPLEX])


def _append(whole: pikepdf.Pdf, part: pikepdf.Pdf, *, has_backs: bool, needs_backs: bool) -> None:
    part.generate_appearance_streams()  # fields of forms are printed as they look
    part.flatten_annotations("print")
    for page in part.pages:
        whole.pages.append(page)
        if needs_backs and not has_backs:
            whole.add_blank_page(page_size=_points(part))
    if has_backs and len(part.pages) % 2:
        whole.add_blank_page(page_size=_points(part))


def _mode(part: pikepdf.Pdf) -> str:
    preferences: Any = part.Root.get("/ViewerPreferences", {})
    mode = str(preferences.get("/Duplex", ""))
    return mode if mode in _SIDES else _UNKNOWN


def _points(part: pikepdf.Pdf) -> tuple[float, float]:
    left, bottom, right, top = map(float, part.pages[0].mediabox)
    return right - left, top - bottom


def _paper(part: pikepdf.Pdf) -> str:
    """Return the name of the paper, such as 'A4', or its size; it may be turned."""
    size = Size(*(round(to_mm(side), 1) for side in sorted(_points(part))))
    name = next((name for name, each in PAPER_SIZES.items() if each == size), f"{size.width:g} × {size.height:g} mm")
    return name.upper() if len(name) == _SHORT_NAME else name.capitalize()
