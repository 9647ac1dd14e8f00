"""The adapter protocol and its Python SDK."""
