"""The rule families: dealer poker, baccarat, blackjack. Each module that names a family ends in a ``FAMILY``."""
