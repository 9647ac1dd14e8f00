"""Does nothing wrong: what the others are compared with."""

from mini import behave, serve

serve(behave)
