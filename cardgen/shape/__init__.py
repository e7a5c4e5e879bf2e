"""Plain data has the shape that a model describes, or diagnostics say where it has not."""
