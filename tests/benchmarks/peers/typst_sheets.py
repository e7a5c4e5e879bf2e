"""Sheets by Typst, from its Python package.

Run `python typst_sheets.py CARDS OUT [COUNT]` in the folder of the material.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rendercv_fonts
import typst


def main(source: str, target: str, most: str = "1000000") -> None:
    """Write the sheets.

    The document is beside this file, and reads its data and pictures from the current folder.
    """
    document = (Path(__file__).parent / "sheets.typ").read_bytes()
    Path("sheets.typ").write_bytes(document)
    fonts = [str(path) for path in rendercv_fonts.paths_to_font_folders]
    wanted = [path for path in fonts if Path(path).name in ("EB Garamond", "Source Sans 3")]
    typst.compile(
        "sheets.typ", output=target, root=".", font_paths=wanted, ignore_system_fonts=True,
        sys_inputs={"cards": source, "most": most},
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
