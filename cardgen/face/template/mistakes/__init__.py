"""All mistakes in templates, with lines, in the terms of card authors."""
