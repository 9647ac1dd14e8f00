"""How a run is shown: one module a format."""
