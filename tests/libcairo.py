"""Whether libcairo is installed, and how to do without it."""

from __future__ import annotations

import sys

import pytest

try:
    import cairosvg
except OSError:
    cairosvg = None

needs_cairo = pytest.mark.skipif(cairosvg is None, reason="libcairo is not installed, and CairoSVG draws nothing")

# The start of a Python program for which libcairo is not installed.
HIDE_CAIRO = """
import cffi
_dlopen = cffi.FFI.dlopen
def dlopen(self, name, flags=0):
    if name and "cairo" in name:
        raise OSError(f"cannot load library {name!r}")
    return _dlopen(self, name, flags)
cffi.FFI.dlopen = dlopen
"""


def hide_cairo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make imports of CairoSVG fail as they do without the library."""

    def dlopen(self: object, name: str, flags: int = 0) -> object:
        raise OSError(f"cannot load library {name!r}")

    for name in [*sys.modules]:
        if name.partition(".")[0] in ("cairosvg", "cairocffi"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("cffi.FFI.dlopen", dlopen)
