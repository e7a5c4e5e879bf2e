"""Cards of a game file: kinds, fields, parts, and pieces as pydantic models."""
