"""Printed output of a game file: faces, texts, and reference sheets."""
