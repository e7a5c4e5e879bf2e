"""PDF files: documents, pages, faces, fonts, pictures, and the objects that they are made of."""
