"""The studio: a local web application in which authors see their cards while they write them."""

import os

# NiceGUI reads and writes a folder '.nicegui' of the current folder as soon as it is imported; the studio needs none.
os.environ["NICEGUI_STORAGE_PATH"] = os.devnull
os.environ.pop("NICEGUI_REDIS_URL", None)
