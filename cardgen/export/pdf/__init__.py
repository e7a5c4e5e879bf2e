"""PDF files: documents, pages, faces, fonts, pictures, and the objects that they are made of."""

from cardgen.runtime.processes import away_from_current_folder

with away_from_current_folder():  # where ReportLab looks for folders with fonts
    from reportlab import rl_config  # noqa: F401
