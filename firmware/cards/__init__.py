"""Playing cards: the card itself, the shoe, ranking and point values. Pure; no randomness."""
