"""YAML text becomes plain data, with the place of every key and value, and every problem located."""

from cardgen.source.codes import Code
from cardgen.source.document import Comment, Document, parse_document
from cardgen.source.file import read_document
from cardgen.source.node import Data, KeyPath

__all__ = ["Code", "Comment", "Data", "Document", "KeyPath", "parse_document", "read_document"]
