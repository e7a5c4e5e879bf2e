"""Build hook: the wheel brings the fonts of the built-in themes, taken from the package rendercv-fonts.

That package holds 59 MB, most of it for scripts that few cards need. A checkout uses the package itself.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Files by folder; a license belongs to each family.
FONTS = {
    "EB Garamond": "*",
    "Font Awesome 7": "*Solid-900.otf",
    "Lato": "*",
    "Poppins": "*",
    "Source Sans 3": "*",
}


class FontsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the fonts to a wheel as `cardgen/fonts`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the fonts, unless the wheel only points to a checkout."""
        if version == "editable":
            return
        spec = find_spec("rendercv_fonts")
        assert spec is not None
        assert spec.origin is not None
        for family, pattern in FONTS.items():
            folder = Path(spec.origin).parent / family
            files = {*folder.glob(pattern), *folder.glob("*.txt")}
            assert len(files) > 1, f"rendercv-fonts has no {family}"
            build_data["force_include"] |= {str(file): f"cardgen/fonts/{family}/{file.name}" for file in files}
