"""What all pages share: the frame, its style, forms of options, and small elements."""
