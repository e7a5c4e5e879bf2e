"""Export of pages to files.

The only package that imports ReportLab, CairoSVG, pikepdf, and pdfium.
"""

import os
import sys
from types import ModuleType

# ReportLab looks for a module of this name in the home folder, and fails if the home is not a folder.
if not os.path.isdir(os.path.expanduser("~")):  # noqa: PTH111, PTH112 - which do without a home
    sys.modules.setdefault("reportlab_mods", ModuleType("reportlab_mods"))
