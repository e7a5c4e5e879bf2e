"""YAML text becomes plain data, and where each value stands."""
