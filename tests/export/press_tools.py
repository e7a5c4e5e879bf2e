"""A CMYK profile and the programs of the press, where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from cardgen.export.inks import OutputProfile, load_profile

PROFILES = (
    Path("/usr/share/color/icc/ghostscript/default_cmyk.icc"),
    Path("/opt/homebrew/share/ghostscript/iccprofiles/default_cmyk.icc"),
)


def profile_path() -> Path:
    """Ghostscript's profile; the project has none of its own."""
    found = next((path for path in PROFILES if path.exists()), None)
    if found is None:
        pytest.skip("no CMYK profile: install Ghostscript")
    return found


def profile() -> OutputProfile:
    return load_profile(profile_path())


def run(program: str, *arguments: str) -> str:
    """The output of a program, which must succeed."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def separations(content: bytes, folder: Path, dpi: int = 150) -> list[dict[str, Image.Image]]:
    """The plates of each page, by ink; 255 is full ink."""
    folder.mkdir(exist_ok=True)
    source = folder / "press.pdf"
    source.write_bytes(content)
    run(
        "gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", "-dPDFSTOPONERROR", "-sDEVICE=tiffsep", f"-r{dpi}",
        f"-sOutputFile={folder / 'plate-%d.tif'}", str(source),
    )  # fmt: skip
    pages: list[dict[str, Image.Image]] = []
    while (folder / f"plate-{len(pages) + 1}.tif").exists():
        plates = folder.glob(f"plate-{len(pages) + 1}(*).tif")
        pages.append({path.name.split("(")[1][:-5]: _ink(path) for path in sorted(plates)})
    return pages


def _ink(path: Path) -> Image.Image:
    with Image.open(path) as plate:
        return ImageChops.invert(plate.convert("L"))


def most_ink(plates: dict[str, Image.Image]) -> float:
    """The largest total of the four process inks at one place, such as 2.4."""
    levels = [plates[name].tobytes() for name in ("Cyan", "Magenta", "Yellow", "Black")]
    return max(map(sum, set(zip(*levels, strict=True)))) / 255
