"""Pages become files; the only importers of ReportLab, CairoSVG, pikepdf and pdfium."""
