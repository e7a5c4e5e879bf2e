"""Faces become pages: papers, imposition, marks, duplex. Pure geometry, no PDF library."""
