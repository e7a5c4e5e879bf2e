"""Kinds, fields, parts, and pieces of a game file as pydantic models."""
