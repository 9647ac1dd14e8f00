"""`rulings check`: what can be wrong with a file of the corpus."""
