"""Print sheets and pictures of cards: options, faces, layouts, and the files that a build writes."""
