"""The studio: a local web application in which authors see their cards while they write them."""
