"""Read YAML into plain data, with positions and diagnostics."""

from cardgen.diagnostic import Code
from cardgen.source.composer import Data, KeyPath
from cardgen.source.document import Comment, Document, decode_document, parse_document, read_document

__all__ = ["Code", "Comment", "Data", "Document", "KeyPath", "decode_document", "parse_document", "read_document"]
