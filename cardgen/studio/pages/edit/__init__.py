"""The view in which a card file is written: form, text, picture, and problems."""
