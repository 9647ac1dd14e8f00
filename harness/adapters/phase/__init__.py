"""phase.rs, a rules engine in Rust, through its Python package."""

PACKAGE = "phase-python"
