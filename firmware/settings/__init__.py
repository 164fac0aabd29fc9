"""Settings of a cabinet."""
