"""Turn a card and its SVG template into a Face.

A Face holds artwork, pictures, and text in paint order.
"""
