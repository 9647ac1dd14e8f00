"""Command line, for now empty."""
