"""PDFs for presses: CMYK by ICC, an ink limit, a spot color for cut lines, PDF/X."""
