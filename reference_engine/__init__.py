"""A small, honest engine of the game: every rule stands once, with its number."""
