"""Says on standard error that a file is missing and ends with status 3 before it reads anything."""

import sys

sys.stderr.write("no such file: cards.db\n")
sys.exit(3)
