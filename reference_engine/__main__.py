"""`python -m reference_engine`: the reference engine behind a pipe."""

from harness.protocol import serve
from reference_engine.adapter import engine

if __name__ == "__main__":
    serve(engine())
