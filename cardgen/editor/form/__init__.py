"""A card as a form: its fields by the schema of its kind, and edits of its text that keep everything else."""
