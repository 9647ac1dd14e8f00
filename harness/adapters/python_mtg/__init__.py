"""python-mtg, a rules engine in Datalog, through its Python package."""

PACKAGE = "python-mtg"
