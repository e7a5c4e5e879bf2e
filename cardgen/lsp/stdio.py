"""The server on standard input and output."""

from __future__ import annotations

import logging
import os
from typing import BinaryIO

from cardgen.lsp.requests import register_requests
from cardgen.lsp.server import CardServer
from cardgen.runtime.gc_tuning import rarer_gc


def serve() -> None:
    """Answer a client until it ends."""
    logging.basicConfig(format="cardgen lsp: %(message)s", level=logging.ERROR)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs tracebacks
    cards = CardServer()
    register_requests(cards)
    try:
        with rarer_gc():
            cards.server.start_io(stdout=_own_output())
    finally:
        cards.worker.close()


def _own_output() -> BinaryIO:
    """Return standard output for the protocol alone; what anything else prints goes to standard error."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output
