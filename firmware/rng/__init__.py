"""Randomness: one seam (random bytes), and unbiased mapping and shuffling on top of it."""
