"""Faces become pages: papers, arrangements, marks, duplex. Pure geometry, no PDF library."""
