"""Read YAML into plain data, with positions and diagnostics."""

from cardgen.source.codes import Code
from cardgen.source.document import Comment, Document, parse_document, read_document
from cardgen.source.positions import Data, KeyPath

__all__ = ["Code", "Comment", "Data", "Document", "KeyPath", "parse_document", "read_document"]
