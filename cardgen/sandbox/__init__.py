"""Language of templates and expressions, bounded for strangers."""
