"""XMage (Java), run from the user's own installation."""
