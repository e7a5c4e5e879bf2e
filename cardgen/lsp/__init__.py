"""The language server: a translation of `cardgen.editor` to the Language Server Protocol."""
