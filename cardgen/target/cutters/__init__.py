"""Cutters: Silhouette and Cricut."""
