"""Turn faces into pages: imposition, packing, printer's marks, duplex.

Pure geometry, without a PDF library.
"""
