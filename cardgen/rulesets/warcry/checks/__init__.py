"""The checks of Warcry: one file each, and the pages of its fixed limits."""
