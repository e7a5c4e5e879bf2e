"""YAML text becomes plain data, with the place of every key and value, and every problem located."""

from cardgen.source.codes import Code
from cardgen.source.document import Comment, Document, parse
from cardgen.source.file import read
from cardgen.source.node import Data, Route

__all__ = ["Code", "Comment", "Data", "Document", "Route", "parse", "read"]
