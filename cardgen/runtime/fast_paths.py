"""The switch for all fast paths: CARDGEN_NO_FAST=1 turns them off.

A fast path does the same work a second time in another way that handles the common case sooner. Its slow twin handles
everything, and both give the same result, so whoever suspects a fast path can leave it out. Read once, on import.
"""

from __future__ import annotations

import os

FAST = os.environ.get("CARDGEN_NO_FAST", "") in ("", "0")
