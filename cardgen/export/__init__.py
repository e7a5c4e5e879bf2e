"""Export of pages to files.

The only package that imports ReportLab, CairoSVG, pikepdf, and pdfium.
"""
