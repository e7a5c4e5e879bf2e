"""Stages chained together: files to cards, and cards to files.

No other package does this.
"""
