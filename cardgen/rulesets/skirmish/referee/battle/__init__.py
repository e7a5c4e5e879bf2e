"""A battle, tracked from its set-up to its winner."""
