"""Rounds: the open round on its shoe, step by step, and the same round again from its entries. Pure."""
